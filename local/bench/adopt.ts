import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { engine, removeLabelled } from './engine.ts'
import { short, table } from './numbers.ts'
import { residentMebibytes } from './process.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

const mebibyte = 1024 * 1024
const size = 100 * mebibyte
const rounds = 3
const label = `container-stacks.bench=${process.pid}`
const compose = 'services: {web: {image: "busybox:latest", command: sleep 3600}}\n'

interface Sample {
  /** Milliseconds. */
  upload: number
  complete: number
  /** MiB above the process's memory before the round. */
  grownUploading: number
  grownCompleting: number
}

/**
 * Measures the time and memory of an adoption with an incompressible bundle of 100 MiB, each round
 * in a new service.
 */
export async function adoptBench(): Promise<string> {
  buildService()
  const bundle = await bundleOf(randomBytes(size - mebibyte))
  const samples: Sample[] = []
  for (let round = 0; round < rounds; round++) samples.push(await sampleOf(bundle, round))
  const head = ['round', 'upload s', 'complete s', 'upload +MiB', 'complete +MiB']
  const rows = samples.map((one, round) => [
    String(round + 1),
    short(one.upload / 1000),
    short(one.complete / 1000),
    short(one.grownUploading),
    short(one.grownCompleting),
  ])
  const how = `A bundle of ${(bundle.length / mebibyte).toFixed(0)} MiB in parts of 4 MiB. Memory is the peak resident memory of the service above that before.`
  return `${how}\n\n${table(head, rows)}`
}

async function bundleOf(content: Buffer): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: 'compose.yaml' }, compose)
  archive.entry({ name: 'data.bin' }, content)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks), { level: 1 })
}

async function sampleOf(bundle: Buffer, round: number): Promise<Sample> {
  const data = dataDirectory()
  const project = `benchadopt${process.pid}r${round}`
  let service: Service | undefined
  try {
    await startProject(project, `${data.path}/projects/${project}`)
    service = await startService(data.path)
    await service.signIn()
    await service.call('GET', '/compose-projects')
    await pause(2000)
    return await measure(service, project, bundle)
  } finally {
    await service?.stop()
    await removeLabelled(label)
    data.remove()
  }
}

async function startProject(name: string, directory: string): Promise<void> {
  const [key = '', value = ''] = label.split('=')
  const { Id } = await engine('POST', `/containers/create?name=${name}-web-1`, {
    Image: 'busybox:latest',
    Cmd: ['sleep', '3600'],
    HostConfig: { Init: true },
    Labels: {
      [key]: value,
      'com.docker.compose.project': name,
      'com.docker.compose.service': 'web',
      'com.docker.compose.container-number': '1',
      'com.docker.compose.oneoff': 'False',
      'com.docker.compose.config-hash': 'none',
      'com.docker.compose.project.working_dir': directory,
      'com.docker.compose.project.config_files': `${directory}/compose.yaml`,
    },
  })
  await engine('POST', `/containers/${Id}/start`)
}

async function measure(service: Service, name: string, bundle: Buffer): Promise<Sample> {
  const before = residentMebibytes(service.pid)
  const body = { name, size: bundle.length }
  const begun = await service.call('POST', '/stacks/adopt', body)
  const [uploading, uploaded] = await watched(service, async () => {
    for (let at = 0, part = 0; at < bundle.length; at += begun.part_size, part++) {
      const bytes = bundle.subarray(at, at + begun.part_size).toString('base64')
      const path = `/stacks/adopt/${begun.adoption_id}/parts/${part}`
      await service.call('PUT', path, { data: bytes })
    }
  })
  const sha256 = createHash('sha256').update(bundle).digest('hex')
  const [completing, completed] = await watched(service, () =>
    service.call('POST', `/stacks/adopt/${begun.adoption_id}/complete`, { sha256 }),
  )
  return {
    upload: uploading,
    complete: completing,
    grownUploading: uploaded - before,
    grownCompleting: completed - before,
  }
}

/**
 * Returns how long the work took, in milliseconds, and the peak resident memory of the service
 * meanwhile, in MiB.
 */
async function watched(service: Service, work: () => Promise<unknown>): Promise<[number, number]> {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentMebibytes(service.pid))
  }, 10)
  const begin = performance.now()
  try {
    await work()
    return [performance.now() - begin, most]
  } finally {
    clearInterval(watch)
  }
}
