# An image that serves MCP over Streamable HTTP as an unprivileged user. The bundle needs nothing but Node, so the second stage holds
# no package. It runs with a read-only root file system; what it remembers is in /home/app/.local/share/gopher-mcp.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM ${NODE_IMAGE}
RUN groupadd --gid 10001 app \
  && useradd --uid 10001 --gid 10001 --create-home --home-dir /home/app --shell /usr/sbin/nologin app \
  && install -d -o app -g app -m 0755 /home/app/.local /home/app/.local/share \
  && install -d -o app -g app -m 0700 /home/app/.local/share/gopher-mcp
COPY LICENSE package.json /opt/gopher-mcp/
COPY --from=build /src/dist /opt/gopher-mcp/dist
ENV NODE_ENV=production \
  HOME=/home/app \
  GOPHER_MCP_HOST=0.0.0.0 \
  GOPHER_MCP_PORT=8000
# By number: an orchestrator can only tell from a number that it is not root.
USER 10001:10001
WORKDIR /home/app
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GOPHER_MCP_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/gopher-mcp/dist/main.js"]
CMD ["--transport", "streamable-http"]
