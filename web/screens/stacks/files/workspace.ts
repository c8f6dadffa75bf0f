import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { loadAgain } from '../../../browser/load-again.ts'
import { kept, keptInTab } from '../../../browser/storage.ts'
import { type Action, act } from '../../../data/act.ts'
import { type Draft, type Drafts, draftsIn } from '../../../data/drafts.ts'
import { asProblem } from '../../../data/problem.ts'
import { type FileContent, readFile, saveFiles } from '../../../data/stack-files.ts'
import type { Merged } from '../../../parts/editor/merge-texts.ts'
import { t } from '../../../text/text.ts'
import type { StackDetails } from './stack.ts'

export interface Edit extends Draft {
  /** It is in the memory of the page only. */
  isSecret: boolean
}

/** A file that someone else saved while it was edited here. */
export interface Merge {
  path: string
  theirs: string
  revision: number
  merged: Merged
}

/** The files of a stack that are being edited. */
export interface Workspace {
  edits: ReadonlySignal<ReadonlyMap<string, Edit>>
  /** Sets the text of a file. The text that is stored ends the edit. */
  write(file: FileContent, text: string): void
  discard(path: string): void
  merge: ReadonlySignal<Merge | undefined>
  /** Begins to merge an edit with what is stored now. */
  startMerge(path: string, stored: FileContent): Promise<void>
  /** Ends the merge with the resulting text, or discards it without one. */
  endMerge(text?: string): void
  /** Saves every edit as one revision. Returns nothing if there is something to merge first. */
  save: Action<[], { revision: number; count: number } | undefined>
  /** Returns whether edits are lost if the page is left. */
  isAtRisk(): boolean
}

type OpenStack = Pick<StackDetails, 'name' | 'created_at'>

const open = new Map<string, Workspace>()

/** Returns the workspace of a stack. It stays while the reader visits other pages. */
export function workspaceOf(stack: OpenStack, user: string): Workspace {
  const key = `${user} ${stack.name} ${stack.created_at}`
  const known = open.get(key)
  if (known) return known
  if (open.size === 0) askBeforeLeaving()
  const made = openWorkspace(stack, user)
  open.set(key, made)
  return made
}

/** Asks before the reader leaves with edits that are stored nowhere else. */
function askBeforeLeaving(): void {
  addEventListener('beforeunload', (event) => {
    if ([...open.values()].some((one) => one.isAtRisk())) event.preventDefault()
  })
}

/** Returns a new workspace of a stack, with the drafts of the user. */
function openWorkspace({ name, created_at: created }: OpenStack, user: string): Workspace {
  const drafts: Drafts = draftsIn({ shared: kept, own: keptInTab }, user, name)
  const stored = [...drafts.read()].map(([path, draft]) => [path, { ...draft, isSecret: false }])
  const edits = signal<ReadonlyMap<string, Edit>>(new Map(stored as [string, Edit][]))
  const merge = signal<Merge | undefined>(undefined)

  function put(path: string, edit: Edit | undefined): void {
    const next = new Map(edits.value)
    if (edit && edit.text !== edit.base) {
      next.set(path, edit)
      if (!edit.isSecret) drafts.keep(path, edit)
    } else {
      next.delete(path)
      drafts.drop(path)
    }
    edits.value = next
  }

  // Another tab saved or discarded its draft of a file that is edited here, too.
  addEventListener('storage', ({ key, newValue }) => {
    const path = newValue === null ? drafts.pathOf(key) : undefined
    const edit = path === undefined ? undefined : edits.value.get(path)
    if (path !== undefined && edit && !edit.isSecret) drafts.keep(path, edit)
  })

  async function startMerge(path: string, stored: FileContent): Promise<void> {
    const edit = edits.value.get(path)
    if (!edit) return
    const { mergeTexts } = await loadAgain(() => import('../../../parts/editor/merge-texts.ts'))
    const theirs = stored.content ?? ''
    const merged = mergeTexts(edit.base, edit.text, theirs)
    merge.value = { path, theirs, revision: stored.revision, merged }
  }

  async function save() {
    const changed = [...edits.value]
    const bases = changed.map(([, { revision }]) => revision)
    // Revisions of an earlier stack of this name say nothing about this one.
    const isOwn = changed.every(([, edit]) => edit.created === created)
    const saved = await saveOrCompare(name, changed, isOwn ? Math.min(...bases) : undefined)
    if ('stored' in saved) {
      await startMerge(saved.path, saved.stored)
      return undefined
    }
    batch(() => {
      // What was typed while it was saved is not saved.
      for (const [path, { text }] of changed) {
        const now = edits.value.get(path)
        if (now) put(path, { ...now, base: text, revision: saved.revision, created })
      }
    })
    return { revision: saved.revision, count: changed.length }
  }

  return {
    edits,
    merge,
    startMerge,
    write(file, text) {
      const { path, secret, revision } = file
      const known = edits.value.get(path)
      const base = known?.base ?? file.content ?? ''
      const origin = known ?? { revision, created }
      put(path, {
        revision: origin.revision,
        created: origin.created,
        base,
        text,
        isSecret: secret,
      })
    },
    discard: (path) => put(path, undefined),
    endMerge(text) {
      const ended = merge.value
      const edit = ended && edits.value.get(ended.path)
      batch(() => {
        merge.value = undefined
        if (!edit || text === undefined) return
        const { path, theirs, revision } = ended
        put(path, { ...edit, base: theirs, revision, text, created })
      })
    },
    save: act(save, {
      ended: (saved) => saved && t.files.saved(saved.count, saved.revision),
      failed: t.files.notSaved,
      tellsProblem: false,
    }),
    isAtRisk: () =>
      [...edits.value].some(([path, { isSecret }]) => isSecret || !drafts.survives(path)),
  }
}

type Saved = { revision: number } | { path: string; stored: FileContent }

/**
 * Saves the files. If others saved meanwhile it compares: files that they did not change are saved
 * on top of their revision, and the first one that they did change is returned.
 *
 * @param revision the one that the files were changed from; undefined compares in any case
 */
async function saveOrCompare(
  name: string,
  changed: readonly (readonly [string, Edit])[],
  revision: number | undefined,
): Promise<Saved> {
  const files = Object.fromEntries(changed.map(([path, { text }]) => [path, { content: text }]))
  try {
    if (revision !== undefined) return await saveFiles(name, files, revision)
  } catch (error) {
    if (asProblem(error).reason !== 'stale-revision') throw error
  }
  const now = await Promise.all(changed.map(([path]) => readNow(name, path)))
  const different = now.find((stored, index) => stored.content !== changed[index]?.[1].base)
  if (different) return { path: different.path, stored: different }
  return saveFiles(name, files, Math.min(...now.map((stored) => stored.revision)))
}

/** A file that was deleted meanwhile is compared as an empty one. */
async function readNow(name: string, path: string): Promise<FileContent> {
  try {
    return await readFile(name, path)
  } catch (error) {
    if (asProblem(error).status !== 404) throw error
    const { revision } = await readFile(name, 'compose.yaml')
    const gone = { size: 0, mode: null, digest: null, link: null, secret: false, base64: null }
    return { path, content: '', revision, ...gone }
  }
}
