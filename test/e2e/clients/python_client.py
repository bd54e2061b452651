"""
The official Python client as a child process: commands come in on stdin and answers go out on stdout, one JSON object a line.

    python_client.py MODE SERVER

MODE is legacy, auto or a revision; before 2.0 the package knows only the first. SERVER is a JSON object: {"url"} or {"command",
"args", "env", "cwd"}. Questions to the person are answered with yes, and counted.
"""

import importlib.metadata
import json
import sys
from contextlib import asynccontextmanager

import anyio

VERSION_1 = importlib.metadata.version("mcp").startswith("1.")


class Answers:
    """Says yes to every question."""

    def __init__(self):
        self.asked = 0

    async def __call__(self, _context, _params):
        if VERSION_1:
            from mcp.types import ElicitResult
        else:
            from mcp_types import ElicitResult
        self.asked += 1
        return ElicitResult(action="accept", content={"confirm": True})


@asynccontextmanager
async def connect_1(server, answers):
    """A session of version 1, in the shape of a client of version 2 as far as it is used here."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    transport = streamable_http_client(server["url"]) if "url" in server else stdio_client(StdioServerParameters(**server))
    async with transport as streams, ClientSession(streams[0], streams[1], elicitation_callback=answers) as session:
        greeting = await session.initialize()
        session.protocol_version = greeting.protocolVersion
        session.instructions = greeting.instructions
        yield session


@asynccontextmanager
async def connect_2(server, mode, answers):
    from mcp import Client, StdioServerParameters

    target = server["url"] if "url" in server else StdioServerParameters(**server)
    async with Client(target, mode=mode, elicitation_callback=answers) as client:
        yield client


class Commands:
    def __init__(self, client, answers):
        self.client = client
        self.answers = answers
        self.calls = {}

    async def greeting(self, _command):
        return {"revision": self.client.protocol_version, "instructions": self.client.instructions}

    async def list(self, command):
        return await getattr(self.client, f"list_{command['what']}")()

    async def call(self, command):
        progress = []

        async def on_progress(done, total, _message):
            progress.append([done, total])

        # Version 1 tells nobody that a call was given up, so the id of its request is needed to say so.
        request_id = self.client._request_id if VERSION_1 else None
        with anyio.CancelScope() as scope:
            self.calls[command["id"]] = (scope, request_id)
            callback = on_progress if command.get("progress") else None
            result = await self.client.call_tool(command["name"], command["arguments"], progress_callback=callback)
            return {**plain(result), "progress": progress}
        raise RuntimeError("cancelled")

    async def cancel(self, command):
        scope, request_id = self.calls[command["call"]]
        if VERSION_1:
            from mcp.types import CancelledNotification, CancelledNotificationParams, ClientNotification

            params = CancelledNotificationParams(requestId=request_id, reason="no longer needed")
            await self.client.send_notification(ClientNotification(CancelledNotification(params=params)))
        scope.cancel()
        return {}

    async def read(self, command):
        if VERSION_1:
            from pydantic import AnyUrl

            return await self.client.read_resource(AnyUrl(command["uri"]))
        return await self.client.read_resource(command["uri"])

    async def prompt(self, command):
        return await self.client.get_prompt(command["name"], command["arguments"])

    async def asked(self, _command):
        return {"asked": self.answers.asked}


def plain(result):
    return result if isinstance(result, dict) else result.model_dump(mode="json", by_alias=True)


def say(message):
    print(json.dumps(message), flush=True)


async def obey(commands, command):
    try:
        result = plain(await getattr(commands, command["do"])(command))
        say({"id": command["id"], "result": result})
    except Exception as error:
        code = getattr(getattr(error, "error", None), "code", None)
        say({"id": command["id"], "error": str(error), "code": code})


async def main(mode, server):
    answers = Answers()
    connection = connect_1(server, answers) if VERSION_1 else connect_2(server, mode, answers)
    async with connection as client, anyio.create_task_group() as tasks:
        commands = Commands(client, answers)
        while line := await anyio.to_thread.run_sync(sys.stdin.readline):
            tasks.start_soon(obey, commands, json.loads(line))
        tasks.cancel_scope.cancel()


anyio.run(main, sys.argv[1], json.loads(sys.argv[2]))
