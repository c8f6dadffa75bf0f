import { followLinks } from '../../compose/load/tree-links.ts'
import { type Finding, textFindings } from '../../compose/publish/findings.ts'
import type { Publication } from '../../compose/publish/publication.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink } from '../records/stack-tree.ts'
import { composeInput, loadReading } from '../stacks/compose-input.ts'
import { hiddenFiles } from '../stacks/hidden-files.ts'
import { decryptedIn } from '../stacks/secret-paths.ts'
import { linksOf, readTexts, type StoredTexts, textsByPath } from '../stacks/texts.ts'
import { entryAt, readFile } from '../stacks/tree.ts'
import { imageDigests } from './image-digests.ts'

/** What to publish of a stack. */
export interface PublishOptions {
  /** The overlay to publish with the other compose files. */
  environment: string | null
  withVariables: boolean
  resolveDigests: boolean
}

/** Bytes of a file of a config or secret that is looked through, and of all of them. */
const contentMax = 1024 * 1024
const contentsMax = 8 * 1024 * 1024

/**
 * Returns a stack as it is published. Nothing is changed or sent.
 *
 * @throws 422 if it cannot be published, 409 if the digest of an image is unknown
 */
export async function preparePublication(
  stack: StackRecord,
  { environment, withVariables, resolveDigests }: PublishOptions,
  caller: Pick<Caller, 'permissions'>,
  ports: Needs<'texts' | 'composer' | 'engines'>,
): Promise<Publication> {
  const texts = await readTexts(stack.files, ports)
  // Nothing of the host is used, whatever the project mounts.
  const input = composeInput(stack, texts, { environment, reach: 'host' })
  const secret = caller.permissions.has('stacks:secrets') ? [] : hiddenFiles(texts, texts.tree)
  const options = { withVariables, decrypted: decryptedIn(texts.tree) }
  const made = await loadReading(stack, texts, ports, (files) =>
    ports.composer.publication({ ...input, ...files, secret }, options),
  )
  const contents = await contentFindings(made.contents, texts, ports)
  const named = textsByPath(texts, stack)
  const inTexts = made.contents.flatMap((path) =>
    Object.hasOwn(named, path) ? textFindings(path, named[path] ?? '') : [],
  )
  const pins = resolveDigests
    ? [await imageDigests(made.images, await ports.engines.on(stack.hostId))]
    : []
  const compose = made.files.filter(({ kind }) => kind === 'compose')
  const others = made.files.filter(({ kind }) => kind !== 'compose')
  return {
    ...made,
    files: [...compose, ...pins, ...others],
    findings: [...made.findings, ...inTexts, ...contents],
  }
}

/**
 * Returns what files of configs and secrets show. They are not published: as with docker compose,
 * they are a reason to look again at what is.
 */
async function contentFindings(
  paths: readonly string[],
  { tree }: StoredTexts,
  ports: Needs<'texts'>,
): Promise<Finding[]> {
  const links = new Map(Object.entries(linksOf(tree)))
  const found: Finding[] = []
  let bytes = 0
  for (const path of paths) {
    const entry = entryAt(tree, followLinks(path, links) ?? path)
    if (!entry || isLink(entry) || entry.size > contentMax) continue
    bytes += entry.size
    if (bytes > contentsMax) break
    const text = Buffer.from(await readFile(entry, ports)).toString()
    found.push(...textFindings(path, text))
  }
  return found
}
