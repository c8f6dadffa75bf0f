import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { ensureEngine } from '../setup/engine.mjs'
import { adoptBench } from './adopt.ts'
import { agentsBench } from './agents.ts'
import { alertsBench } from './alerts.ts'
import { authBench } from './auth.ts'
import { backupsBench } from './backups.ts'
import { clientBench } from './client.ts'
import { deployBench } from './deploy.ts'
import { engine } from './engine.ts'
import { feedsBench } from './feeds.ts'
import { floodBench } from './flood.ts'
import { functionsBench } from './functions.ts'
import { growthBench } from './growth.ts'
import { hooksBench } from './hooks.ts'
import { hostileBench } from './hostile.ts'
import { hotKeysBench } from './hot-keys.ts'
import { httpBench } from './http.ts'
import { imageBench } from './image.ts'
import { wrapped } from './numbers.ts'
import { sourcesBench } from './sources.ts'
import { startBench } from './start.ts'
import { treeBench } from './tree.ts'
import { updatesBench } from './updates.ts'
import { webBench } from './web.ts'

const benches: Record<string, () => Promise<string>> = {
  http: httpBench,
  flood: floodBench,
  hostile: hostileBench,
  growth: growthBench,
  deploy: deployBench,
  tree: treeBench,
  adopt: adoptBench,
  alerts: alertsBench,
  updates: updatesBench,
  auth: authBench,
  backups: backupsBench,
  feeds: feedsBench,
  agents: agentsBench,
  start: startBench,
  functions: functionsBench,
  hooks: hooksBench,
  sources: sourcesBench,
  'hot-keys': hotKeysBench,
  image: imageBench,
  web: webBench,
  client: clientBench,
}
const page = new URL('../../docs/benchmarks.md', import.meta.url)

/**
 * `npm run bench [-- name …] [--write]`: prints the tables. `--write` also puts them into
 * docs/benchmarks.md.
 */
async function main(args: string[]): Promise<void> {
  const named = args.filter((arg) => !arg.startsWith('--'))
  const unknown = named.find((name) => !(name in benches))
  if (unknown)
    throw new Error(`unknown benchmark ${unknown}: must be one of ${Object.keys(benches)}`)
  if (!(await ensureEngine())) throw new Error('the benchmarks need a Docker Engine')
  for (const name of named.length > 0 ? named : Object.keys(benches)) {
    const text = wrapped(`${await benches[name]?.()}\n\n${await machine()}`)
    console.log(`\n## ${name}\n\n${text}`)
    if (args.includes('--write')) writePart(name, text)
  }
}

async function machine(): Promise<string> {
  const [cpu] = cpus()
  const { Version } = await engine('GET', '/version')
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}: ${cpus().length} × ${cpu?.model}, ${memory} GiB, Node ${process.version.slice(1)}, Docker Engine ${Version}.`
}

/** Replaces the text between the two markers of a benchmark. */
function writePart(name: string, text: string): void {
  const [from, to] = [
    `<!-- ${name}: made by npm run bench -- ${name} --write -->`,
    `<!-- /${name} -->`,
  ]
  const before = readFileSync(page, 'utf8')
  const start = before.indexOf(from)
  const end = before.indexOf(to)
  if (start < 0 || end < start) throw new Error(`docs/benchmarks.md has no markers for ${name}`)
  writeFileSync(page, `${before.slice(0, start + from.length)}\n${text}\n${before.slice(end)}`)
}

await main(process.argv.slice(2))
