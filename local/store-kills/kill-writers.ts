import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { inOneFile } from '../../packaging/build/build.mjs'
import { boundToParent } from '../harness/bound-process.ts'
import { chancesOf } from '../harness/lagging-store/chances.ts'
import type { Told } from './kinds.ts'
import type { StorePlace } from './open-store.ts'

/** What was found after processes were killed while they wrote to a store. */
export interface KillReport {
  kills: number
  /** Writes that the store had acknowledged. */
  acknowledged: number
  /** Things that were begun. */
  things: number
  /** What is wrong: an acknowledged write is lost, or another one is there in part. */
  problems: string[]
}

/**
 * A process is killed after at most this many lines and then this time, in milliseconds. The lines
 * make a kill as likely during any write of a slow store or machine as of a fast one.
 */
const killedWithin = { lines: 100, pause: 40 }

/** Processes that write at the same time, to the same audit chain. */
const atOnce = 2

/**
 * Starts processes that write to an empty store, two at a time, and kills each at a moment that the
 * seed chooses. Then a new process checks the store. Stops early if a process fails.
 */
export async function killWriters(
  place: StorePlace,
  { kills, seed }: { kills: number; seed: number },
): Promise<KillReport> {
  const directory = await mkdtemp(join(tmpdir(), 'container-stacks-kills-'))
  try {
    await buildPrograms(directory)
    const chances = chancesOf(seed)
    const steps = new Map<string, Told>()
    const problems: string[] = []
    let started = 0
    let acknowledged = 0
    const killNext = async () => {
      while (started < kills && problems.length === 0) {
        started += 1
        const child = start(directory, 'writing-process', place, `w${started}`)
        const lines = 1 + Math.floor(chances.next() * killedWithin.lines)
        const pause = chances.next() * killedWithin.pause
        const { told, problem } = await killAfter(child, lines, pause)
        if (problem !== undefined) problems.push(problem)
        for (const one of told) steps.set(`${one[0]} ${one[1]}`, one)
        acknowledged += told.filter(([, , step]) => step > 0).length
      }
    }
    await Promise.all(Array.from({ length: atOnce }, killNext))
    const child = start(directory, 'reading-process', place)
    problems.push(...(await checked(child, [...steps.values()])))
    return { kills: started, acknowledged, things: steps.size, problems }
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Bundles the programs, so that each process starts fast. */
async function buildPrograms(outdir: string): Promise<void> {
  const entryPoints = {
    'writing-process': 'local/store-kills/writing-process.ts',
    'reading-process': 'local/store-kills/reading-process.ts',
    'sqlite-thread': 'adapters/sqlite/thread.ts',
  }
  await build({ ...inOneFile, entryPoints, outdir, sourcemap: false })
}

function start(directory: string, program: string, place: StorePlace, ...words: string[]) {
  const file = join(directory, `${program}.js`)
  const options = ['--disable-warning=ExperimentalWarning']
  const all = [...options, file, JSON.stringify(place), ...words]
  return spawn(...boundToParent(process.execPath, all), { stdio: 'pipe' })
}

/**
 * Kills a process some milliseconds after it has told this many lines. Returns all that it told.
 */
async function killAfter(child: ReturnType<typeof start>, lines: number, pause: number) {
  const told: Told[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (told.push(JSON.parse(line)) === lines) setTimeout(() => child.kill('SIGKILL'), pause)
  })
  const [errors, [code, signal]] = await ended(child)
  const problem = signal === 'SIGKILL' ? undefined : `a process ended with ${code}: ${errors}`
  return { told, problem }
}

/** Returns what the reading process finds wrong with these things. */
async function checked(child: ReturnType<typeof start>, things: Told[]): Promise<string[]> {
  child.stdin.end(JSON.stringify(things))
  const [problems, [errors, [code, signal]]] = await Promise.all([text(child.stdout), ended(child)])
  if (code !== 0) return [`the reading process ended with ${code ?? signal}: ${errors}`]
  return JSON.parse(problems)
}

/** Resolves with the errors of a process and how it ended, once all of its output is read. */
const ended = (child: ReturnType<typeof start>) =>
  Promise.all([
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
