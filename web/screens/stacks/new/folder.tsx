import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../../data/act.ts'
import { fileText } from '../../../data/file-text.ts'
import { sendFolder } from '../../../data/send-folder.ts'
import { draft, forgetDraft, isName } from '../../../data/stack-draft.ts'
import { go } from '../../../frame/address.ts'
import { Button } from '../../../parts/button.tsx'
import { Link } from '../../../parts/link.tsx'
import { Meter } from '../../../parts/meter.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { t } from '../../../text/text.ts'
import { chooseFrom, type FolderChoice, withMode } from './folder/folder-choice.ts'
import { FolderPicker } from './folder/folder-picker.tsx'
import { FolderPreview } from './folder/folder-preview.tsx'
import { NameAndHost } from './name-and-host.tsx'
import { NewStackPage } from './new-stack-page.tsx'

/** A new stack from a directory of the reader's machine. */
export default function NewStackFromFolder() {
  const choice = useSignal<FolderChoice | undefined>(undefined)
  const share = useSignal(0)
  const create = useMemo(() => sending((value) => (share.value = value)), [])
  const chosen = choice.value
  const name = draft.name.value || chosen?.name || ''
  const problem = create.problem.value
  const isTaken = problem?.status === 409
  const isPartly = problem?.reason === 'files-missing'
  const submit = (event: Event) => {
    event.preventDefault()
    share.value = 0
    if (chosen) void create.run(name, chosen)
  }
  return (
    <NewStackPage>
      <form class="new-stack" onSubmit={submit}>
        <FolderPicker
          onPick={async (picked) => {
            create.reset()
            choice.value = await chooseFrom(picked)
          }}
        />
        {chosen && chosen.compose === undefined && (
          <Problem title={t.newStack.noCompose} error={t.newStack.noComposeWhy} />
        )}
        {chosen?.compose !== undefined && (
          <>
            <NameAndHost suggested={chosen.name} error={isTaken ? problem.error : undefined} />
            <FolderPreview choice={chosen} />
          </>
        )}
        {problem && !isTaken && (
          <Problem title={isPartly ? t.newStack.partly(name) : t.newStack.notCreated} {...problem}>
            {isPartly && <Link href={`/stacks/${name}`}>{t.newStack.open(name)}</Link>}
          </Problem>
        )}
        {create.pending.value && share.value > 0 && (
          <div class="upload-bar">
            <Meter label={t.newStack.uploading} value={share.value} attention={2} critical={2}>
              {Math.round(share.value * 100)} %
            </Meter>
          </div>
        )}
        <div class="new-stack-actions">
          <Button
            kind="primary"
            type="submit"
            blocked={blockedBy(name, chosen)}
            busy={create.pending.value && t.newStack.creating}
          >
            {t.newStack.create(name)}
          </Button>
          <span class="new-stack-note">{t.newStack.notDeployed}</span>
        </div>
      </form>
    </NewStackPage>
  )
}

function blockedBy(name: string, choice: FolderChoice | undefined): string | undefined {
  if (choice?.compose === undefined) return t.newStack.needsFolder
  if (isName(name)) return undefined
  return name === '' ? t.newStack.needsName : t.newStack.nameWrong
}

const sending = (onProgress: (share: number) => void) =>
  act(
    async (name: string, { compose = '', env, overlays, sent }: FolderChoice) => {
      const texts = await Promise.all(
        [...overlays].map(async ([key, { file }]) => [key, await fileText(file)] as const),
      )
      const folder = {
        name,
        compose,
        host: draft.host.value || undefined,
        env: env && (await fileText(env.file)),
        overlays: Object.fromEntries(texts),
        files: await Promise.all(sent.value.map(withMode)),
      }
      await sendFolder(folder, onProgress)
      forgetDraft()
      go(`/stacks/${name}`)
      return name
    },
    { ended: t.newStack.created, failed: t.newStack.notCreated, tellsProblem: false },
  )
