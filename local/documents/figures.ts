import { archiveMax } from '../../cli/copy/upload.ts'
import { lettersMax } from '../../cli/mcp/bounded.ts'
import { sessionVersions } from '../../cli/mcp/protocol.ts'
import { callsAtATime } from '../../cli/mcp/serve.ts'
import { requestsPerCaller } from '../../functions/core/access/caller-queues.ts'
import { triesMax } from '../../functions/core/alerts/attempt.ts'
import { defaultSettings } from '../../functions/core/records/settings.ts'
import { earlierMax } from '../../functions/core/stacks/new-revision.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import createStack from '../../functions/stacks/create.ts'
import { routes } from '../../serverless.ts'
import { measured } from './measured.ts'
import type { Page } from './pages.ts'

/** By the path of a page: numbers in its prose, each with the words around it. */
export type Figures = Record<string, string[]>

const mebibytes = (bytes: number) => bytes / 1024 ** 2

/**
 * Returns the numbers in prose that the code sets or a benchmark measured. Those in tables of
 * settings are generated.
 */
export async function figures(): Promise<Figures> {
  const body = mebibytes(await largestBody())
  const newStack = mebibytes(createStack.facts.bodyLimit ?? 0)
  const [, image, , imageMemory] = measured('image', '')
  const [, , , memory, withStore] = measured('start', 'its own DynamoDB Local')
  return {
    'docs/alerts.md': [`After ${triesMax} attempts`],
    'docs/benchmarks.md': tenFigures(),
    'docs/deploying.md': [`Up to ${earlierMax + 1} revisions`],
    'docs/files.md': [
      `such a request is at most ${newStack} MiB`,
      `| ${mebibytes(defaultSettings['stack.max_bytes'])} MiB | \`stack.max_bytes\``,
      `| ${defaultSettings['stack.max_files'].toLocaleString('en')} | \`stack.max_files\``,
    ],
    'docs/looking-inside.md': [`container is at most ${mebibytes(archiveMax)} MiB`],
    'docs/machines.md': [
      `at most ${lettersMax.toLocaleString('en')} letters`,
      `At most ${callsAtATime} calls`,
      sessionVersions.toReversed().join(', '),
    ],
    'docs/reference/guarantees.md': [
      `Each process runs ${requestsPerCaller} requests of an account`,
    ],
    'docs/requirements.md': [
      `${imageMemory} MiB for the container, ${memory} MiB for a process`,
      `${withStore} MiB with DynamoDB Local`,
      `${image} MiB for the image`,
    ],
    'docs/reverse-proxies.md': [
      `allow bodies of ${body} MiB`,
      `the API takes is ${body} MiB`,
      // The limits of proxies have room for a change of ours.
      `client_max_body_size ${body + 2}m;`,
      `max_size ${body + 2}MiB`,
    ],
    'docs/troubleshooting.md': [`Wait ${defaultSettings['auth.lockout_duration_minutes']} minutes`],
  }
}

/** Returns the rows of the first table of the benchmarks. */
function tenFigures(): string[] {
  const compared = (row: string) => {
    const [, , milliseconds, , , ratio] = measured('deploy', row)
    return `${milliseconds} ms, ${ratio} of `
  }
  const [, , startTime, memory] = measured('image', '')
  return [
    `| deploy of 1 service | ${compared('deploy, 1 service')}`,
    `| deploy of 20 services | ${compared('deploy, 20 services')}`,
    `| deploy of 20 services without a change | ${compared('deploy unchanged, 20 services')}`,
    `| status of 20 services | ${compared('status, 20 services')}`,
    `| backup of a volume, encrypted | ${measured('backups', 'backup, the service, enc')[1]} MB/s |`,
    `for a backup of 10 GB | ${measured('backups', 'backup of 10000 MB')[3]} MiB |`,
    `| archive through an agent | ${measured('agents', 'archive')[3]} of`,
    `(\`GET /me\`) | ${measured('http', 'GET /me, the service')[1]} a second |`,
    `| memory of the container, idle | ${memory} MiB |`,
    `up to its first response | ${startTime} ms |`,
  ]
}

async function largestBody(): Promise<number> {
  const loaded = await Promise.all(routesOf(routes).map(({ load }) => load()))
  return Math.max(...loaded.map(({ default: { facts } }) => facts.bodyLimit ?? 0))
}

/** Returns the numbers that a page does not have as the code sets them. */
export const wrongFigures = (pages: readonly Page[], wanted: Figures): string[] =>
  Object.entries(wanted).flatMap(([path, figures]) => {
    const text = pages.find((page) => page.path === path)?.text ?? ''
    const flowing = text.replace(/\s+/g, ' ')
    return figures
      .filter((words) => !flowing.includes(words))
      .map((words) => `${path}: must have "${words}"`)
  })
