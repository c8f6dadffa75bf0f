import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { act } from '../../../data/act.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { formatBytes } from '../../../parts/format-bytes.ts'
import { Problem } from '../../../parts/problem.tsx'
import { t } from '../../../text/text.ts'
import { uploadFiles } from './file-actions.ts'
import type { StackDetails } from './stack.ts'

interface UploadFilesProps {
  stack: StackDetails
  /** Files that were dropped. */
  dropped: readonly File[]
  onDone: () => void
  onClose: () => void
}

/** The largest file, in bytes. */
const fileBytesMax = 2 * 1024 * 1024
/**
 * Bytes of all files. A request has 4 MiB at most, and base64 needs a third more than the bytes.
 */
const totalBytesMax = 2.9 * 1024 * 1024

/** Asks which files to upload, and says which ones they replace. */
export function UploadFiles({ stack, dropped, onDone, onClose }: UploadFilesProps) {
  const { name, files, revision } = stack
  const chosen = useSignal<readonly File[]>(dropped)
  const folder = useSignal('')
  const input = useRef<HTMLInputElement>(null)
  const upload = useMemo(
    () =>
      act(uploadFiles, {
        ended: t.files.uploaded,
        failed: t.files.notUploaded,
        tellsProblem: false,
      }),
    [],
  )
  const prefix = folder.value.trim().replace(/^\/+|\/+$/g, '')
  const sent = chosen.value.map((file) => ({
    file,
    path: prefix === '' ? file.name : `${prefix}/${file.name}`,
  }))
  const isTooLarge = sent.some(({ file }) => file.size > fileBytesMax)
  const isTooMuch = chosen.value.reduce((sum, { size }) => sum + size, 0) > totalBytesMax
  const blocked = isTooLarge ? t.files.tooLarge : isTooMuch ? t.files.tooMuch : undefined
  const problem = upload.problem.value
  const run = async () => {
    if ((await upload.run(name, sent, revision)) !== undefined) onDone()
  }
  return (
    <Dialog
      title={t.files.upload}
      size="medium"
      onClose={onClose}
      actions={(cancel) => (
        <>
          <Button onClick={cancel}>{t.parts.cancel}</Button>
          {sent.length > 0 && (
            <Button
              kind="primary"
              blocked={blocked}
              busy={upload.pending.value && t.files.uploading}
              onClick={() => void run()}
            >
              {t.files.uploadCount(sent.length)}
            </Button>
          )}
        </>
      )}
    >
      <p>
        <Button onClick={() => input.current?.click()}>{t.files.choose}</Button> {t.files.drop}
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t.files.choose}
        onChange={(event) => {
          chosen.value = [...(event.currentTarget.files ?? [])]
        }}
      />
      {sent.length > 0 && (
        <TextField
          label={t.files.folder}
          help={t.files.folderHelp}
          value={folder.value}
          onInput={(value) => {
            folder.value = value
          }}
          autocomplete="off"
          isOptional
          isCode
        />
      )}
      <ul class="files-chosen">
        {sent.map(({ file, path }) => (
          <li key={path}>
            <code>{path}</code>
            <span>{formatBytes(file.size)}</span>
            {files.some((one) => one.path === path) && (
              <Badge kind="attention">{t.files.replaces}</Badge>
            )}
            {file.size > fileBytesMax && <Badge kind="failed">{t.files.tooLarge}</Badge>}
          </li>
        ))}
      </ul>
      {isTooMuch && !isTooLarge && <p class="field-error">{t.files.tooMuch}</p>}
      {problem && <Problem title={t.files.notUploaded} {...problem} />}
    </Dialog>
  )
}
