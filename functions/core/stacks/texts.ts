import type { ComposeInput } from '../compose/project.ts'
import type { HostFile } from '../engine/engine.ts'
import { unprocessable } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Reading } from './project.ts'
import type { StackFiles, StackRecord } from './stack.ts'

/** The texts of a stack. `overlays`: environment name → text of `compose.<name>.yaml`; `others`: path → text. */
export interface StackTexts {
  compose: string
  env: string | null
  overlays: Record<string, string>
  others: Record<string, string>
}

/** Keeps the texts and gives their digests. `.env` is kept encrypted. */
export async function keepTexts(stack: StackTexts, { texts }: Needs<'texts'>): Promise<StackFiles> {
  const [compose, env, overlays, others] = await Promise.all([
    texts.put(stack.compose),
    stack.env === null ? null : texts.put(stack.env, { secret: true }),
    mapTexts(stack.overlays, (text) => texts.put(text)),
    mapTexts(stack.others, (text) => texts.put(text)),
  ])
  return { compose, env, overlays, others }
}

/** The texts behind the digests. */
export async function readTexts(files: StackFiles, { texts }: Needs<'texts'>): Promise<StackTexts> {
  const [compose, env, overlays, others] = await Promise.all([
    texts.get(files.compose),
    files.env === null ? null : texts.get(files.env),
    mapTexts(files.overlays, (digest) => texts.get(digest)),
    mapTexts(files.others, (digest) => texts.get(digest)),
  ])
  return { compose, env, overlays, others }
}

async function mapTexts(
  values: Record<string, string>,
  change: (value: string) => Promise<string>,
) {
  const entries = Object.entries(values).map(
    async ([name, value]) => [name, await change(value)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** The overlay's file name, as `docker compose -f` would be given it. */
export const overlayFile = (environment: string) => `compose.${environment}.yaml`

/** All texts by the path at which they stand in the stack's directory. */
export function filesByPath({
  compose,
  env,
  overlays,
  others,
}: StackTexts): Record<string, string> {
  const named = Object.entries(overlays).map(([name, text]) => [overlayFile(name), text] as const)
  return {
    ...others,
    ...Object.fromEntries(named),
    ...(env === null ? {} : { '.env': env }),
    'compose.yaml': compose,
  }
}

/** The files as they are written on the host: `.env` for its owner alone. */
export function hostFiles(stack: StackTexts): HostFile[] {
  return Object.entries(filesByPath(stack)).map(([path, text]) => ({
    path,
    content: new TextEncoder().encode(text),
    mode: path === '.env' ? 0o600 : 0o644,
  }))
}

/** What the loader is given for a stack. Throws a `Failure` 422 for an environment that has no overlay. */
export function composeInput(
  stack: Pick<StackRecord, 'id' | 'directory'>,
  texts: StackTexts,
  { environment, reach }: Reading,
): ComposeInput {
  if (environment !== null && !Object.hasOwn(texts.overlays, environment)) {
    throw unprocessable(
      `environment ${environment}: the stack has no file ${overlayFile(environment)}`,
    )
  }
  return {
    name: stack.id,
    directory: stack.directory,
    composeFiles: ['compose.yaml', ...(environment === null ? [] : [overlayFile(environment)])],
    files: filesByPath(texts),
    environment: {},
    profiles: [],
    reach,
  }
}
