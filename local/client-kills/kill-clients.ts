import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { readConfig } from '../../cli/session/config.ts'
import { inChunks } from '../../packaging/build/build.mjs'
import type { clientWorld } from '../harness/client.ts'

/** What was found after clients were killed while they renewed their session. */
export interface KillReport {
  kills: number
  /** Clients that had ended before the signal. */
  ended: number
  /** Killed clients whose request for new tokens had reached the service. */
  renewing: number
  /** What is wrong with the configuration after a kill. */
  problems: string[]
  /** The service had replaced the refresh token and the client had not saved it. */
  sessionsLost: number
  /** Files beside the configuration when all is over. */
  files: string[]
}

/** How long an access token is valid. Milliseconds. */
const accessLife = 15 * 60_000

/** Within this time a client has done its request and replaced the configuration. Milliseconds. */
const windowMax = 40

type World = Awaited<ReturnType<typeof clientWorld>>

/**
 * Starts the built client that many times, kills each at a random moment while it renews the
 * session, and reads the configuration after each. The access token has expired before each start.
 */
export async function killClients(world: World, kills: number): Promise<KillReport> {
  const directory = await mkdtemp(join(tmpdir(), 'client-kills-'))
  try {
    const program = await buildClient(directory)
    await world.login()
    const report = { kills, ended: 0, renewing: 0, problems: [] as string[], sessionsLost: 0 }
    for (let at = 0; at < kills; at += 1) {
      world.ports.clock.advance(accessLife)
      const before = renewals(world)
      const isKilled = await killAfterLock(program, world, Math.random() * windowMax)
      if (!isKilled) report.ended += 1
      else if (renewals(world) > before) report.renewing += 1
      const problem = await problemOf(world)
      if (problem) report.problems.push(problem)
      // What a killed client left behind, such as its lock, must not stop the next one.
      const next = await world.cli('whoami')
      if (next.code === 3) {
        report.sessionsLost += 1
        await world.login()
      } else if (next.code !== 0) report.problems.push(next.err)
    }
    // The last killed client may have left its lock after its work. The next renewal takes it over.
    world.ports.clock.advance(accessLife)
    const { code, err } = await world.cli('whoami')
    if (code !== 0) report.problems.push(err)
    return { ...report, files: await readdir(dirname(world.configFile)) }
  } finally {
    await rm(directory, { recursive: true })
  }
}

const renewals = ({ log }: World) =>
  log.lines.filter(({ fields }) => fields.route === 'POST /auth/refresh').length

async function buildClient(outdir: string): Promise<string> {
  const entryPoints = { cli: 'cli/main.ts' }
  await build({ ...inChunks, entryPoints, outdir, sourcemap: false })
  return join(outdir, 'cli.js')
}

/**
 * Runs the client and kills it some milliseconds after it has locked the configuration, which it
 * does to renew the session. Returns whether it ran until then.
 */
async function killAfterLock(program: string, { home, configFile }: World, delay: number) {
  const folder = watch(dirname(configFile))
  try {
    const child = spawn(process.execPath, [program, 'whoami'], {
      env: { HOME: home, PATH: process.env.PATH },
      stdio: 'ignore',
    })
    folder.once('change', () => setTimeout(() => child.kill('SIGKILL'), delay))
    const [, signal] = await once(child, 'close')
    return signal === 'SIGKILL'
  } finally {
    folder.close()
  }
}

async function problemOf({ configFile, server }: World): Promise<string | undefined> {
  const config = await readConfig(configFile)
  if (config.server !== server || !config.token || !config.refresh_token)
    return `the configuration has only ${Object.keys(config).join(', ')}`
  const { mode } = await stat(configFile)
  return (mode & 0o777) === 0o600 ? undefined : `its mode is ${mode.toString(8)}`
}
