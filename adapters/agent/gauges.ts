import { statfs } from 'node:fs/promises'
import { request } from 'node:http'
import type { NetConnectOpts } from 'node:net'
import { cpus, freemem, totalmem } from 'node:os'
import { ignoreError } from '../../functions/core/ignore-error.ts'

/**
 * The resource usage of a machine. `busy` and `time` are milliseconds of all its processors since
 * boot; sizes are in bytes.
 */
export interface Gauges {
  busy: number
  time: number
  memory: number
  memoryTotal: number
  /** The file system with the Engine's data; null if this program cannot access it. */
  disk: number | null
  diskTotal: number | null
}

/**
 * Reads the gauges of this machine. `docker` is the address of its Engine, which is asked for its
 * data directory.
 */
export async function readGauges(docker: NetConnectOpts): Promise<Gauges> {
  const times = cpus().map((one) => one.times)
  const total = (pick: (one: (typeof times)[number]) => number) =>
    times.reduce((sum, one) => sum + pick(one), 0)
  const idle = total((one) => one.idle)
  const busy = total((one) => one.user + one.nice + one.sys + one.irq)
  const memoryTotal = totalmem()
  const memory = memoryTotal - freemem()
  return { busy, time: busy + idle, memory, memoryTotal, ...(await diskOf(docker)) }
}

async function diskOf(docker: NetConnectOpts): Promise<Pick<Gauges, 'disk' | 'diskTotal'>> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(await dataDirectory(docker))
    // Computed as `df` does: blocks reserved for root count neither as used nor as total.
    const disk = (blocks - bfree) * bsize
    return { disk, diskTotal: disk + bavail * bsize }
  } catch (error) {
    ignoreError('read the usage of the disk')(error)
    return { disk: null, diskTotal: null }
  }
}

/** Returns the Engine's data directory. */
function dataDirectory(docker: NetConnectOpts): Promise<string> {
  return new Promise((resolve, reject) => {
    const where = 'path' in docker ? { socketPath: docker.path } : docker
    const call = request({ ...where, path: '/info', timeout: 2_000 } as object, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        try {
          const { DockerRootDir } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
          if (typeof DockerRootDir === 'string' && DockerRootDir.startsWith('/'))
            resolve(DockerRootDir)
          else reject(new Error('the Engine does not report its data directory'))
        } catch (error) {
          reject(error)
        }
      })
    })
    call.once('timeout', () => call.destroy(new Error('the Engine does not respond')))
    call.once('error', reject)
    call.end()
  })
}
