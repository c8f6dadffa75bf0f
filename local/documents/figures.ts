import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveMax } from '../../cli/copy/upload.ts'
import { requestsPerCaller } from '../../functions/core/access/caller-queues.ts'
import { triesMax } from '../../functions/core/alerts/attempt.ts'
import { defaultSettings } from '../../functions/core/records/settings.ts'
import { earlierMax } from '../../functions/core/stacks/new-revision.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import createStack from '../../functions/stacks/create.ts'
import { root } from '../../packaging/contents/places.mjs'
import { routes } from '../../serverless.ts'
import { present } from '../harness/present.ts'
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
  const [, image, , imageMemory] = lastRow('image')
  const [, , , memory, withStore] = lastRow('start')
  return {
    'docs/alerts.md': [`After ${triesMax} attempts`],
    'docs/deploying.md': [
      `Up to ${earlierMax + 1} revisions`,
      `container is at most ${mebibytes(archiveMax)} MiB`,
    ],
    'docs/files.md': [
      `such a request is at most ${newStack} MiB`,
      `| ${mebibytes(defaultSettings['stack.max_bytes'])} MiB | \`stack.max_bytes\``,
      `| ${defaultSettings['stack.max_files'].toLocaleString('en')} | \`stack.max_files\``,
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
    'docs/security.md': [`Each process runs ${requestsPerCaller} requests of an account`],
    'docs/troubleshooting.md': [`Wait ${defaultSettings['auth.lockout_duration_minutes']} minutes`],
  }
}

/** Returns the cells of the last row in the table of a benchmark. */
function lastRow(name: string): string[] {
  const text = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')
  const [, rest = ''] = text.split(`<!-- ${name}: made by`)
  const rows = [...present(rest.split(`<!-- /${name} -->`)[0]).matchAll(/^\| (.*) \|$/gm)]
  return present(rows.at(-1)?.[1]).split(' | ')
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
