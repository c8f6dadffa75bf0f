import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import type { HostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { StackRecord } from '../core/records/stack.ts'
import type { StackSource } from '../core/records/stack-source.ts'
import { isLink, type TreeEntry } from '../core/records/stack-tree.ts'
import { isSecretFile } from '../core/stacks/shown-files.ts'
import { mainFileOf, overlayFile, readTexts, type StoredTexts } from '../core/stacks/texts.ts'
import { readFile } from '../core/stacks/tree.ts'
import { hostForm, type NameOf, stackPolicyForm } from './forms.ts'
import type { EstateFile, EstateStack, EstateStackSource } from './schema.ts'
import type { SecretNames } from './secret-names.ts'

/** Bytes of one file that is written into an estate. */
export const fileBytesMax = 256 * 1024
/** Bytes of all texts and files, as they are written. An apply takes a body of 8 MiB. */
export const allFilesBytesMax = 6 * 1024 * 1024

/** What the forms of all stacks of an estate share. */
export interface StackFormContext {
  hostName: HostNames
  /** Returns the name of a backup job. */
  jobName: NameOf
  /** Returns whether a stack has jobs of its own. */
  hasJobs(stack: StackRecord): boolean
  secrets: SecretNames
  /** Takes bytes of what all texts may have. Returns false if there are not as many left. */
  takeBytes(count: number): boolean
  leaveOut(stack: string, reason: string): void
}

type FileForm = z.input<typeof EstateFile>

/**
 * Returns a stack as a file declares it, or undefined after it was left out. A stack that follows a
 * source has only the files that are kept beside those of the source.
 */
export async function stackForm(
  stack: StackRecord,
  context: StackFormContext,
  ports: Needs<'texts'>,
): Promise<z.input<typeof EstateStack> | undefined> {
  const { id: name, hostId, source, updatePolicy } = stack
  const texts = await readTexts(stack.files, ports)
  const { compose, env, overlays } = texts
  if (!source && !context.takeBytes(writtenBytes([compose, ...Object.values(overlays)]))) {
    context.leaveOut(name, 'its compose files are too large for one file with the others')
    return undefined
  }
  const isKept = source ? source.kept.includes('.env') : true
  const files = await filesForm(stack, texts, context, ports)
  const policy = updatePolicy && stackPolicyForm(updatePolicy, context.jobName)
  if (updatePolicy?.checkpoint && policy?.checkpoint === null)
    context.leaveOut(name, 'the backup job before its updates is gone, or you may not see it')
  if (texts.shared)
    context.leaveOut(name, 'the file does not say which sets of shared variables it takes')
  if (context.hasJobs(stack)) context.leaveOut(name, 'the file does not have its jobs')
  return {
    name,
    host: hostForm(hostId, context.hostName),
    ...(!source && { compose }),
    ...(env !== null && isKept && { env: context.secrets.referTo('stack', name, 'env') }),
    ...(!source && Object.keys(overlays).length > 0 && { overlays: sorted(overlays) }),
    ...(Object.keys(files).length > 0 && { files }),
    ...(source && { source: bindingForm(source) }),
    ...(policy && { update_policy: policy }),
  }
}

/** Returns the bytes that texts take at most, with the escapes of JSON or the indents of YAML. */
const writtenBytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)) + indentsOf(text), 0)

/** Bytes before each line of a block of YAML, at most. */
const indentMax = 12
const indentsOf = (text: string): number => indentMax * text.split('\n').length

/** Returns how a stack follows a source as a file declares it. */
export const bindingForm = ({
  source,
  path,
  also,
  onChange,
  overwrite,
}: StackSource): z.input<typeof EstateStackSource> => ({
  source,
  path,
  also,
  on_change: onChange,
  overwrite,
})

async function filesForm(
  stack: StackRecord,
  texts: StoredTexts,
  context: StackFormContext,
  ports: Needs<'texts'>,
): Promise<Record<string, FileForm>> {
  const forms: [string, FileForm][] = []
  for (const [path, entry] of Object.entries(sorted(otherFiles(stack, texts)))) {
    const form = await fileForm(path, entry, stack, context, ports)
    if (form) forms.push([path, form])
  }
  return Object.fromEntries(forms)
}

/**
 * Returns the files of a stack that have no field of their own, by path; those of a stack that
 * follows a source only if they are kept here. An overlay that is kept is its text.
 */
export function otherFiles(
  { source, composeFiles }: Pick<StackRecord, 'composeFiles' | 'source'>,
  { tree, overlays }: Pick<StoredTexts, 'overlays' | 'tree'>,
): Record<string, TreeEntry | string> {
  if (!source) return tree
  const all = new Map<string, TreeEntry | string>(Object.entries(tree))
  for (const [name, text] of Object.entries(overlays)) all.set(overlayFile(name), text)
  const named = ['.env', mainFileOf({ composeFiles })]
  const kept = source.kept.filter((path) => !named.includes(path))
  return Object.fromEntries(
    kept.flatMap((path) => {
      const entry = all.get(path)
      return entry === undefined ? [] : [[path, entry] as const]
    }),
  )
}

/** Returns a file, or undefined after it was left out. */
async function fileForm(
  path: string,
  entry: TreeEntry | string,
  stack: StackRecord,
  { secrets, takeBytes, leaveOut }: StackFormContext,
  ports: Needs<'texts'>,
): Promise<FileForm | undefined> {
  if (typeof entry === 'string') return { content: entry }
  if (isLink(entry)) return { link: entry.link }
  const mode = entry.mode.toString(8).padStart(4, '0')
  const isSecret = isSecretFile(path, entry, stack)
  const tooLarge = () => {
    leaveOut(stack.id, `the file ${JSON.stringify(path)} is too large: upload it, or use a source`)
    return undefined
  }
  if (entry.size > fileBytesMax) return tooLarge()
  const content = await readFile(entry, ports)
  const isText = isUtf8(content) && !content.includes(0)
  if (isSecret && !isText) {
    leaveOut(stack.id, `the file ${JSON.stringify(path)} is secret and no text: upload it`)
    return undefined
  }
  if (isSecret) return { content: secrets.referToFile(stack.id, path), mode }
  const bytes = Buffer.from(content)
  const text = bytes.toString(isText ? 'utf8' : 'base64')
  if (!takeBytes(writtenBytes([text]))) return tooLarge()
  return isText ? { content: text, mode } : { base64: text, mode }
}

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
