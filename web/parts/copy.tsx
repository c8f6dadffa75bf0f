import { useSignal } from '@preact/signals'
import { Check, Copy as CopyIcon } from 'lucide'
import { t } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'

/** A button that copies a text, and confirms it for two seconds. */
export function Copy({ text, what }: { text: string; what: string }) {
  const isDone = useSignal(false)
  const copy = async () => {
    isDone.value = await copyText(text)
    setTimeout(() => {
      isDone.value = false
    }, 2000)
  }
  return (
    <>
      <IconButton
        icon={isDone.value ? Check : CopyIcon}
        label={isDone.value ? t.parts.copied : t.parts.copyWhat(what)}
        onClick={() => void copy()}
      />
      <span role="status" class="hidden-text">
        {isDone.value ? t.parts.copied : ''}
      </span>
    </>
  )
}
