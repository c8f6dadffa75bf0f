import { z } from 'zod'
import type { VolumeConfig } from '../../compose/project.ts'
import { checkedHostPath } from '../../engine/host-path.ts'
import { unprocessable } from '../../errors.ts'
import type { StackTexts } from '../../stacks/texts.ts'
import { tarEntries } from '../../tar/entries.ts'
import type { Bytes } from '../ports.ts'
import { otherFileOf, type SavedStack, savedStackName } from '../saved-stack.ts'

const text = z.string()
const environment = text.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)
const path = text.refine(isHostPath)

function isHostPath(value: string): boolean {
  try {
    return checkedHostPath(value) === value
  } catch {
    return false
  }
}

/**
 * The schema of `SavedStack`. Ignores fields that later versions add. Paths are inside the stack's
 * directory.
 */
const Saved = z.object({
  format: z.literal(1),
  name: text,
  directory: text,
  adopted: z.boolean(),
  compose_files: z.array(path).min(1),
  environment: text.nullable(),
  compose: text,
  env: text.nullable(),
  overlays: z.record(environment, text),
  others: z.record(
    path,
    z.object({ encoding: z.enum(['utf8', 'base64']), content: text, executable: z.boolean() }),
  ),
  volumes: z.array(z.object({ key: text, name: text, external: z.boolean() })),
})

/** More than the texts of a stack may have. */
const savedBytesMax = 64 * 1024 * 1024

/**
 * Returns the record of a stack, the first file of its archive. The rest is not read.
 *
 * @throws 422 if the archive does not start with the record
 */
export async function readSaved(archive: Bytes, name: string): Promise<SavedStack> {
  for await (const { header, content } of tarEntries(archive)) {
    if (header.name !== savedStackName || (header.size ?? 0) > savedBytesMax) break
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(Uint8Array.from(part))
    const saved = parsed(Buffer.concat(parts).toString())
    if (saved?.name === name) return saved
    break
  }
  throw unprocessable(`the archive of the stack ${name} does not begin with its record`)
}

function parsed(json: string): SavedStack | undefined {
  try {
    return Saved.parse(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** Returns the texts of a saved stack. */
export const textsOf = ({ compose, env, overlays, others }: SavedStack): StackTexts => ({
  ...{ compose, env, overlays },
  others: Object.fromEntries(
    Object.entries(others).map(([path, file]) => [path, otherFileOf(file)] as const),
  ),
})

/**
 * Returns the key and the name on the Engine of a saved stack's volume, for the name under which
 * the stack is restored. The key is undefined for a volume that the stack does not create.
 */
export const volumeNameNow = (
  saved: SavedStack,
  name: string,
  volumes: Record<string, VolumeConfig>,
): { key: string | undefined; name: string } => {
  const known = saved.volumes.find((volume) => volume.name === name)
  const now = known && volumes[known.key]
  return { key: now && !now.external ? known.key : undefined, name: now?.name ?? name }
}
