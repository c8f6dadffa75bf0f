import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../../data/act.ts'
import type { StackFile } from '../../../data/stack-files.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { languageOf } from '../../../parts/editor/language-of.ts'
import { TextField } from '../../../parts/field.tsx'
import { t } from '../../../text/text.ts'
import { moveFile } from './file-actions.ts'
import type { StackDetails } from './stack.ts'

interface ChangeFileProps {
  stack: StackDetails
  file: StackFile
  onDone: (path: string) => void
  onClose: () => void
}

/** Asks for another path and other permissions of a file. */
export function ChangeFile({ stack, file, onDone, onClose }: ChangeFileProps) {
  const { name, files, revision } = stack
  const path = useSignal(file.path)
  const mode = useSignal(file.mode ?? '')
  const move = useMemo(
    () =>
      act(moveFile, { ended: t.files.renamed, failed: t.files.notRenamed, tellsProblem: false }),
    [],
  )
  const wanted = path.value.trim()
  const isFixed = file.path === '.env' || languageOf(file.path) === 'compose'
  const isTaken = wanted !== file.path && files.some((one) => one.path === wanted)
  const isWrong = !isFixed && file.link === null && !/^0?[0-7]{3}$/.test(mode.value)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isTaken || isWrong || wanted === '') return
    const isSame = isFixed || file.link !== null
    const to = { path: wanted, mode: isSame ? undefined : mode.value }
    const done = await move.run(name, file.path, to, revision)
    if (done !== undefined) onDone(done)
  }
  return (
    <Dialog
      title={t.files.renameTitle(file.path)}
      onClose={onClose}
      actions={(cancel) => (
        <>
          <Button onClick={cancel}>{t.parts.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form="change-file"
            busy={move.pending.value && t.files.changing}
          >
            {t.files.change}
          </Button>
        </>
      )}
    >
      <form id="change-file" class="files-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t.files.path}
          error={isTaken ? t.files.pathTaken : move.problem.value?.error}
          value={path.value}
          onInput={(value) => {
            path.value = value
            move.reset()
          }}
          autocomplete="off"
          isCode
          required
        />
        {isFixed && <p>{t.files.modeFixed}</p>}
        {!isFixed && file.link === null && (
          <TextField
            label={t.files.mode}
            help={t.files.modeHelp}
            error={isWrong ? t.files.modeWrong : undefined}
            value={mode.value}
            onInput={(value) => {
              mode.value = value
            }}
            inputMode="numeric"
            autocomplete="off"
            isCode
            required
          />
        )}
      </form>
    </Dialog>
  )
}
