import { archiveMax } from '../../cli/copy/upload.ts'
import { requestsPerCaller } from '../../functions/core/access/caller-queues.ts'
import { triesMax } from '../../functions/core/alerts/attempt.ts'
import { defaultSettings } from '../../functions/core/records/settings.ts'
import { earlierMax } from '../../functions/core/stacks/new-revision.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import createStack from '../../functions/stacks/create.ts'
import { routes } from '../../serverless.ts'
import type { Page } from './pages.ts'

/** A number in the prose of a page, with the words around it, as the code has it. */
export interface Figure {
  page: string
  words: string
}

const mebibytes = (bytes: number) => bytes / 1024 ** 2

/** Returns the numbers in prose that the code sets. Those in tables of settings are generated. */
export async function figures(): Promise<Figure[]> {
  const body = mebibytes(await largestBody())
  const at = (page: string, ...words: string[]) =>
    words.map((one) => ({ page: `docs/${page}`, words: one }))
  const lockout = defaultSettings['auth.lockout_duration_minutes']
  return [
    ...at('reverse-proxies.md', `allow bodies of ${body} MiB`, `the API takes is ${body} MiB`),
    // The limits of these proxies have room for a change of ours.
    ...at('reverse-proxies.md', `client_max_body_size ${body + 2}m;`, `max_size ${body + 2}MiB`),
    ...at('alerts.md', `After ${triesMax} attempts`),
    ...at('deploying.md', `Up to ${earlierMax + 1} revisions`),
    ...at('deploying.md', `container is at most ${mebibytes(archiveMax)} MiB`),
    ...at(
      'files.md',
      `such a request is at most ${mebibytes(createStack.facts.bodyLimit ?? 0)} MiB`,
    ),
    ...at(
      'files.md',
      `| ${mebibytes(defaultSettings['stack.max_bytes'])} MiB | \`stack.max_bytes\``,
    ),
    ...at('files.md', `| ${defaultSettings['stack.max_files'].toLocaleString('en')} | \`stack.`),
    ...at('security.md', `Each process runs ${requestsPerCaller} requests of an account`),
    ...at('troubleshooting.md', `Wait ${lockout} minutes`),
  ]
}

async function largestBody(): Promise<number> {
  const loaded = await Promise.all(routesOf(routes).map(({ load }) => load()))
  return Math.max(...loaded.map(({ default: { facts } }) => facts.bodyLimit ?? 0))
}

/** Returns the numbers that a page does not have as the code sets them. */
export const wrongFigures = (pages: readonly Page[], wanted: readonly Figure[]): string[] =>
  wanted
    .filter(({ page, words }) => {
      const text = pages.find(({ path }) => path === page)?.text ?? ''
      return !text.replace(/\s+/g, ' ').includes(words)
    })
    .map(({ page, words }) => `${page}: must have "${words}"`)
