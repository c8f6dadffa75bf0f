import { useSignal } from '@preact/signals'
import { FolderOpen } from 'lucide'
import { useRef } from 'preact/hooks'
import { asProblem, type Problem as Cause } from '../../../../data/problem.ts'
import { Button } from '../../../../parts/button.tsx'
import { Problem } from '../../../../parts/problem.tsx'
import { t } from '../../../../text/text.ts'
import { droppedFiles, type PickedFolder, pickedFiles } from './pick-folder.ts'

interface FolderPickerProps {
  onPick: (picked: PickedFolder) => Promise<void>
}

/** A place to drop a directory, and a button for the dialog of the system. */
export function FolderPicker({ onPick }: FolderPickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useSignal(false)
  const isReading = useSignal(false)
  const problem = useSignal<Cause | undefined>(undefined)
  const take = async (picked: Promise<PickedFolder>) => {
    isReading.value = true
    problem.value = undefined
    try {
      await onPick(await picked)
    } catch (error) {
      problem.value = asProblem(error)
    } finally {
      isReading.value = false
    }
  }
  return (
    <>
      <section
        class={isOver.value ? 'drop-zone over' : 'drop-zone'}
        aria-label={t.newStack.dropHere}
        onDragOver={(event) => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => {
          isOver.value = false
        }}
        onDrop={(event) => {
          event.preventDefault()
          isOver.value = false
          if (event.dataTransfer) void take(droppedFiles(event.dataTransfer.items))
        }}
      >
        <p>{t.newStack.dropHere}</p>
        <Button
          icon={FolderOpen}
          busy={isReading.value && t.newStack.reading}
          onClick={() => input.current?.click()}
        >
          {t.newStack.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          {...wholeDirectory}
          aria-label={t.newStack.choose}
          onChange={(event) => {
            const list = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            if (list.length > 0) void take(Promise.resolve(pickedFiles(list)))
          }}
        />
      </section>
      {problem.value && <Problem title={t.newStack.notRead} {...problem.value} />}
    </>
  )
}

/** No standard names this attribute, but every browser has it. */
const wholeDirectory = { webkitdirectory: true }
