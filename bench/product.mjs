/**
 * The product as a whole, over stdio, against the floor (bench/load/floor.mjs) and, where PEER names a program (`PEER='gopher-mcp'`),
 * against that one: the same fake servers, the same settings, taken in turn, so that the ratios hold on a busy machine. Medians.
 */
import 'reflect-metadata';
import path from 'node:path';
import { ensureBuilt } from '../scripts/bundle.mjs';
import { Contender } from './load/contender.mjs';
import { startUpstream } from './load/start-upstream.mjs';

const root = path.resolve(import.meta.dirname, '..');
const CACHED = { CACHE_ENABLED: 'true' };
const WITHOUT_CAPS = { MAX_RENDERED_CHARS: '0', MAX_MENU_ITEMS: '0' };

export async function run(bench) {
  await ensureBuilt(root);
  const upstream = await startUpstream(bench);
  const contenders = [
    ['product', [process.execPath, path.join(root, 'dist', 'main.js')]],
    ['floor', [process.execPath, path.join(import.meta.dirname, 'load', 'floor.mjs')]],
    ...(process.env.PEER ? [['peer', process.env.PEER.split(' ')]] : []),
  ];
  try {
    await measure(bench, contenders, upstream);
  } finally {
    upstream.process.kill();
  }
}

async function measure(bench, contenders, { gopher, gemini }) {
  const CASES = [
    ['text of 10 KB', 'gopher_fetch', (i) => ({ url: `gopher://127.0.0.1:${gopher}/0/text/10240/${i}` })],
    ['menu of 500', 'gopher_fetch', (i) => ({ url: `gopher://127.0.0.1:${gopher}/1/menu/500/${i}` })],
    ['gemtext of 10 KB', 'gemini_fetch', (i) => ({ url: `gemini://127.0.0.1:${gemini}/gmi/10240/${i}` })],
  ];
  const calling = ([, name, args], i) => ({ name, arguments: args(i) });

  report(bench, 'start to the first answer, ms', 'low', await coldStarts(contenders));
  for (const [what, more] of [
    ['', {}],
    ['cached ', CACHED],
  ]) {
    const one = what === '' ? (i) => i : () => 0;
    await together(contenders, more, async (running) => {
      for (const kind of CASES) {
        const call = (i) => calling(kind, one(i));
        const singles = await inTurn(running, 20, (server, i) =>
          median(10, (j) => server.timed('tools/call', call(i * 10 + j))),
        );
        report(bench, `${what}${kind[0]}, ms`, 'low', singles);
        const pumped = await inTurn(running, 5, (server, i) => server.pump((j) => call(1e6 + i * 400 + j), 400, 16));
        report(
          bench,
          `${what}${kind[0]}, 16 at once, calls/s`,
          'high',
          each(pumped, ({ rate }) => rate),
        );
        report(
          bench,
          `${what}${kind[0]}, CPU ms a call`,
          'low',
          each(pumped, ({ cpuMs }) => cpuMs),
        );
      }
      if (what === '') return;
      for (const method of ['ping', 'tools/list'])
        report(
          bench,
          `${method}, ms`,
          'low',
          await inTurn(running, 20, (server) => median(10, () => server.timed(method))),
        );
    });
  }
  await together(contenders, {}, async (running) => {
    const urls = (kind, i) => Array.from({ length: 50 }, (_, j) => CASES[kind][2](2e6 + i * 50 + j).url);
    const slow = (i) => Array.from({ length: 50 }, (_, j) => `gopher://127.0.0.1:${gopher}/0/slow/20/10240/${i}-${j}`);
    for (const [label, name, list] of [
      ['batch of 50 texts, ms', 'gopher_batch_fetch', (i) => urls(0, i)],
      ['batch of 50 gemtexts, ms', 'gemini_batch_fetch', (i) => urls(2, i)],
      ['batch of 50, each takes 20 ms, ms', 'gopher_batch_fetch', slow],
    ])
      report(
        bench,
        label,
        'low',
        await inTurn(running, 7, (server, i) => server.timed('tools/call', { name, arguments: { urls: list(i) } })),
      );
  });
  for (const [caps, more] of [
    ['', {}],
    [', no caps', WITHOUT_CAPS],
  ])
    await together(contenders, more, async (running) => {
      for (const [label, name, url] of [
        ['menu of 1 MiB', 'gopher_fetch', (i) => `gopher://127.0.0.1:${gopher}/1/menu/18000/${i}`],
        ['gemtext of 1 MiB', 'gemini_fetch', (i) => `gemini://127.0.0.1:${gemini}/gmi/1048576/${i}`],
        ['text of 1 MiB', 'gopher_fetch', (i) => `gopher://127.0.0.1:${gopher}/0/text/1048576/${i}`],
      ])
        report(
          bench,
          `${label}${caps}, ms`,
          'low',
          await inTurn(running, 7, (server, i) => server.timed('tools/call', { name, arguments: { url: url(i) } })),
        );
    });
  for (const [label, more] of [
    ['without cache', {}],
    ['with cache', CACHED],
  ])
    await together(contenders, more, async (running) => {
      if (label === 'without cache')
        report(bench, 'memory at the start, MiB', 'low', await inTurn(running, 1, (server) => server.rssMib()));
      const used = await inTurn(running, 1, async (server) => {
        await server.pump((i) => calling(CASES[i % 2 === 0 ? 0 : 2], 3e6 + i), 2000, 16);
        return server.rssMib();
      });
      report(bench, `memory after 2,000 fetches ${label}, MiB`, 'low', used);
    });
}

/** The first start of each only warms the disk. */
async function coldStarts(contenders) {
  const times = new Map(contenders.map(([name]) => [name, []]));
  for (let round = 0; round < 8; round++)
    for (const [name, command] of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const server = await Contender.start(command);
      await server.stop();
      if (round > 0) times.get(name).push(server.coldMs);
    }
  return times;
}

async function together(contenders, more, work) {
  const running = [];
  try {
    for (const [name, command] of contenders) running.push([name, await Contender.start(command, more)]);
    await work(running);
  } finally {
    for (const [, server] of running) await server.stop();
  }
}

/** `rounds` measures of each, in alternating order; the first round warms up where there is more than one. */
async function inTurn(running, rounds, measureOne) {
  const values = new Map(running.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, server] of round % 2 === 0 ? running : running.toReversed()) {
      const value = await measureOne(server, round);
      if (round > 0 || rounds === 1) values.get(name).push(value);
    }
  return values;
}

async function median(times, work) {
  const found = [];
  for (let i = 0; i < times; i++) found.push(await work(i));
  return middle(found);
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function each(values, pick) {
  return new Map([...values].map(([name, list]) => [name, list.map(pick)]));
}

/** One line: the medians, and how many times better the product is than each other (median of the rounds' ratios). */
function report(bench, label, better, values) {
  const product = values.get('product');
  const figures = [...values].map(([name, list]) => {
    const figure = `${name} ${middle(list).toPrecision(4).padStart(8)}`;
    if (name === 'product') return figure;
    const ratio = middle(product.map((value, i) => (better === 'low' ? list[i] / value : value / list[i])));
    return `${figure} (x${ratio.toFixed(2)})`;
  });
  bench.row(label, figures.join('   '));
}
