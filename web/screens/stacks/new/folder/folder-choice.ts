import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { fileText } from '../../../../data/file-text.ts'
import { nameFrom, nameIn } from '../../../../data/stack-draft.ts'
import type { PackedFile } from '../../../../data/tar.ts'
import { placesIn } from './compose-places.ts'
import { ignoredFiles } from './ignored-files.ts'
import type { PickedFile, PickedFolder } from './pick-folder.ts'
import { type Group, type LeftOutReason, reasonOf, sortFolder } from './sort-folder.ts'

/** A directory that was chosen, with what of it is sent. */
export interface FolderChoice {
  /** A name for the stack, from the compose file or the directory. */
  name: string
  compose: string | undefined
  /** The compose file, its overlays and .env. */
  named: readonly PickedFile[]
  env: PickedFile | undefined
  overlays: ReadonlyMap<string, PickedFile>
  groups: readonly (Group<PickedFile> & { reason?: LeftOutReason })[]
  refused: readonly { path: string; reason: LeftOutReason }[]
  /** The paths of groups that are not sent. */
  leftOut: ReadonlySignal<ReadonlySet<string>>
  toggle(path: string): void
  sent: ReadonlySignal<readonly PickedFile[]>
}

/** Reads the compose files of a directory and proposes what to send. */
export async function chooseFrom(picked: PickedFolder, main?: string): Promise<FolderChoice> {
  const first = sortFolder(picked.files, [], main)
  const named = [first.main, ...first.overlays.values()].flatMap((one) => one ?? [])
  const texts = await Promise.all(named.map(({ file }) => fileText(file)))
  const all = texts.join('\n')
  const places = placesIn(all)
  const ignored = await ignoredFiles(picked.files, places.contexts, all)
  const kept = new Set([...named, first.env])
  const files = picked.files.filter((file) => kept.has(file) || !ignored.files.has(file))
  const sorted = sortFolder(files, places.writable, main)
  const groups = sorted.groups.map((group) => {
    const reason = reasonOf(group, all, places)
    return { ...group, ...(reason && { reason }) }
  })
  const leftOut = signal<ReadonlySet<string>>(
    new Set(groups.filter(({ reason }) => reason).map(({ path }) => path)),
  )
  const compose = sorted.main && texts[0]
  return {
    name: (compose && nameIn(compose)) || nameFrom(picked.name),
    compose,
    named: sorted.env ? [...named, sorted.env] : named,
    env: sorted.env,
    overlays: sorted.overlays,
    groups,
    refused: [
      ...picked.skipped.map((path) => ({ path: `${path}/`, reason: 'tool' as const })),
      ...sorted.refused,
      ...ignored.paths
        .filter((path) => !files.some((file) => file.path === path))
        .map((path) => ({ path, reason: 'ignored' as const })),
    ],
    leftOut,
    toggle(path) {
      const next = new Set(leftOut.value)
      if (!next.delete(path)) next.add(path)
      leftOut.value = next
    },
    sent: computed(() =>
      groups.filter(({ path }) => !leftOut.value.has(path)).flatMap(({ files }) => files),
    ),
  }
}

/** A browser does not know modes. What begins like a script is one. */
export async function withMode({ path, file }: PickedFile): Promise<PackedFile> {
  const isScript = (await file.slice(0, 2).text()) === '#!'
  return { path, file, mode: isScript ? 0o755 : path === '.env' ? 0o600 : 0o644 }
}
