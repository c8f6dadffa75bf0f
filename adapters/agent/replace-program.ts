import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { boundedText } from '../../functions/core/bounded-text.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import { ignoreAbort } from '../../functions/core/promises.ts'

/** Bytes. The agent has about 900 kB. */
const programMax = 8 * 1024 ** 2
/** Milliseconds that a new program has to connect to the service. */
const trialTime = 60_000
/** Milliseconds that its connection must last. */
export const provenAfter = 5000

/** The variable that makes a program a trial: the instance that it stands in for. */
const trialVariable = 'AGENT_TRIAL'
const proven = 'proven'

/** The program of an agent, which the service can replace. */
export interface ProgramReplacement {
  /** Resolves when no new program is being tried: until then the agent does not connect. */
  idle(): Promise<void>
  /**
   * Takes a new program from a stream, which begins with its SHA-256 in hex and a line feed.
   * Rejects with the reason if it is not tried.
   */
  take(stream: Duplex): Promise<void>
  /** Why the last new program was given up; undefined if none was. */
  readonly problem: string | undefined
}

/**
 * Returns the path of the agent's program if the service can replace it: a file that systemd starts
 * again. Packages and images replace theirs themselves.
 */
export function replaceableProgram(
  path: string | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (path === undefined || basename(path) !== 'agent.mjs') return undefined
  if (env.INVOCATION_ID === undefined || env[trialVariable] !== undefined) return undefined
  try {
    accessSync(dirname(path), constants.W_OK)
    return path
  } catch (error) {
    ignoreError('look whether the program can be replaced')(error)
    return undefined
  }
}

/** What a trial needs of the agent that starts it. */
export interface TrialOptions {
  path: string
  /** See `AgentFacts`. The service then sees one agent that connected again. */
  instance: string
  say(line: string): void
  /** Ends this agent. systemd then starts the new program. */
  end(): void
  /** Connects again: the service asks for the facts when a connection begins. */
  reconnect(): void
}

/**
 * Replaces the program of an agent, once the new one has shown that it can connect. The new one
 * runs as a child beside the old one; only then does it take its place. A kill at any time leaves
 * one of the two, whole. The old one stays as `agent.before.mjs`.
 */
export function programReplacement(options: TrialOptions): ProgramReplacement {
  const { path, instance, say, end, reconnect } = options
  const beside = (word: string) => join(dirname(path), `agent.${word}.mjs`)
  const fresh = beside('new')
  let trial: Promise<void> | undefined
  let problem: string | undefined
  const run = async () => {
    say('a new version of the agent is tried')
    problem = await tryProgram(fresh, instance)
    if (problem === undefined) {
      await copyFile(path, beside('before'))
      await rename(fresh, path)
      say('the new version takes over')
      return end()
    }
    say(`the new version is given up: ${problem}`)
    await rm(fresh, { force: true })
    reconnect()
  }
  return {
    idle: async () => trial,
    async take(stream) {
      if (trial) throw new Error(alreadyTried)
      const program = checked(await boundedText(stream, programMax, tooLarge))
      if (trial) throw new Error(alreadyTried)
      await writeFile(fresh, program, { flush: true })
      trial = run()
        .catch((error: Error) => {
          problem = error.message
        })
        .finally(() => {
          trial = undefined
        })
    },
    get problem() {
      return problem
    },
  }
}

const alreadyTried = 'another version is being tried'
const tooLarge = 'the new version is too large'

function checked(sent: string): string {
  const [digest = ''] = sent.split('\n', 1)
  const program = sent.slice(digest.length + 1)
  if (createHash('sha256').update(program).digest('hex') !== digest) {
    throw new Error('the new version arrived damaged')
  }
  return program
}

/** Runs a program until it has connected. Ends it. Returns why it failed, or undefined. */
function tryProgram(path: string, instance: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = fork(path, process.argv.slice(2), {
      env: { ...process.env, [trialVariable]: instance },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    let result: string | undefined = `it did not connect within ${trialTime / 1000} s`
    const late = setTimeout(() => child.kill('SIGKILL'), trialTime)
    child.once('error', ({ message }) => {
      result = message
    })
    child.once('message', (message) => {
      if (message === proven) result = undefined
      child.kill('SIGKILL')
    })
    child.once('close', (code) => {
      clearTimeout(late)
      if (code !== null && result !== undefined) result = `it ended with code ${code}`
      resolve(result)
    })
  })
}

/** What a program does that is tried. */
export interface Trial {
  instance: string
  /** Tells the agent that started it once a connection has lasted. */
  connected(ended: AbortSignal): Promise<void>
}

/**
 * Returns the trial that this process is; undefined if it is none.
 *
 * @param end called when the agent that started it is gone
 */
export function ownTrial(env: NodeJS.ProcessEnv, end: () => void): Trial | undefined {
  const instance = env[trialVariable]
  if (instance === undefined || !process.send) return undefined
  process.once('disconnect', end)
  return {
    instance,
    async connected(ended) {
      await pause(provenAfter, undefined, { signal: ended }).catch(ignoreAbort)
      if (!ended.aborted) process.send?.(proven)
    },
  }
}
