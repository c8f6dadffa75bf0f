import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../adapters/node/store-supervisor/free-port.ts'
import { askDocker, docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { findCompose } from '../setup/compose.mjs'
import { median, short, table } from './numbers.ts'
import { descendants, residentMebibytes } from './process.ts'

const rounds = 5
/** Seconds without a request before memory is read. */
const idle = 60
const mebibyte = 2 ** 20
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The image in a composed stack of its own. */
interface Composed {
  url: string
  compose(...words: string[]): string
  container(): string
}

/**
 * Measures the image: its size, the time from `docker compose up` to the first response, and the
 * memory of the idle service.
 */
export async function imageBench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'image-bench-'))
  const version = `0.0.0-bench${process.pid}`
  try {
    const sizes = buildAndLoad(folder, version)
    const composed = await composedWith(version, folder)
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const time = await timeOf(composed)
      if (round > 0) times.push(time)
    }
    await pause(idle * 1000)
    const memory = memoryOf(composed)
    composed.compose('down', '--volumes')
    return render({ ...sizes, time: median(times), ...memory })
  } finally {
    await askDocker('rmi', '--force', `container-stacks:${version}`)
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildAndLoad(folder: string, version: string) {
  const program = join(root, 'packaging/image/build.mjs')
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const words = ['--out', folder, '--arch', architecture, '--version', version]
  execFileSync(process.execPath, [program, ...words], { stdio: 'ignore' })
  const archive = join(folder, present(readdirSync(folder).find((name) => name.endsWith('.tar'))))
  docker('load', '--input', archive)
  const size = docker('inspect', '--format', '{{.Size}}', `container-stacks:${version}`)
  return { archive: statSync(archive).size / mebibyte, unpacked: Number(size) / mebibyte }
}

async function composedWith(version: string, folder: string): Promise<Composed> {
  const port = await freePort()
  const environment = {
    ...process.env,
    CONTAINER_STACKS_VERSION: version,
    CONTAINER_STACKS_PORT: `127.0.0.1:${port}`,
    CONTAINER_STACKS_AGENT_PORT: `127.0.0.1:${await freePort()}`,
    CONTAINER_STACKS_DIR: join(folder, 'stacks'),
    DOCKER_GID: String(statSync('/var/run/docker.sock').gid),
  }
  const compose = (...words: string[]) =>
    execFileSync(
      present(findCompose()),
      ['--project-name', `image-bench-${process.pid}`, '--file', 'compose.yaml', ...words],
      { cwd: root, env: environment, encoding: 'utf8', stdio: 'pipe' },
    ).trim()
  const container = () => compose('ps', '--quiet', 'service')
  return { url: `http://127.0.0.1:${port}/api/v1/health`, compose, container }
}

/** Returns the milliseconds from `docker compose up` with an empty volume to the first 200. */
async function timeOf({ url, compose }: Composed): Promise<number> {
  compose('down', '--volumes')
  const begin = performance.now()
  compose('up', '--detach', '--no-build')
  for (;;) {
    // The proxy of the Engine accepts connections before the service does, and never answers them.
    const signal = AbortSignal.timeout(200)
    const asked = fetch(url, { signal }).catch(() => undefined)
    const answer = await Promise.race([asked, pause(250, undefined)])
    if (answer?.status === 200) return performance.now() - begin
    await pause(10)
  }
}

/** In MiB: all processes, and what the Engine counts, which is what a limit would count. */
function memoryOf({ container }: Composed) {
  const pid = Number(docker('inspect', '--format', '{{.State.Pid}}', container()))
  const resident = [pid, ...descendants(pid)].map(residentMebibytes)
  const [counted = ''] = docker(
    'stats',
    '--no-stream',
    '--format',
    '{{.MemUsage}}',
    container(),
  ).split(' ')
  return { resident: resident.reduce((sum, one) => sum + one, 0), counted }
}

function render(values: {
  archive: number
  unpacked: number
  time: number
  resident: number
  counted: string
}): string {
  const how = `The image for ${process.arch} with compose.yaml and an empty volume; the median of ${rounds} starts after one warm-up. Memory is that of all processes ${idle} s after the start.`
  const head = [
    'archive MiB',
    'unpacked MiB',
    'up to first 200 ms',
    'resident MiB',
    '`docker stats`',
  ]
  const { archive, unpacked, time, resident, counted } = values
  return `${how}\n\n${table(head, [[...[archive, unpacked, time, resident].map(short), counted]])}`
}
