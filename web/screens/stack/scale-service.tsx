import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { scaleService } from '../../data/stack-operations.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'

interface ScaleServiceProps {
  stack: string
  service: string
  onClose: () => void
}

/** Asks for the number of containers of a service. */
export function ScaleService({ stack, service, onClose }: ScaleServiceProps) {
  const { value } = useResource('/stacks/{name}/status', { name: stack })
  const now = (value.value ?? []).filter(
    (row) => row.service === service && row.container_id !== null,
  ).length
  const typed = useSignal(String(now))
  const scale = useMemo(
    () =>
      act(scaleService, {
        ended: (done) => t.stack.scaled(service, durationText(done)),
        failed: t.stack.notScaled(service),
        tellsProblem: false,
      }),
    [service],
  )
  const wanted = Number(typed.value)
  const isNumber = /^\d{1,4}$/.test(typed.value.trim())
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!isNumber) return
    if (await scale.run(stack, service, wanted)) onClose()
  }
  return (
    <Dialog
      title={t.stack.scale(service)}
      onClose={onClose}
      actions={(cancel) => (
        <>
          <Button onClick={cancel}>{t.parts.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form="scale"
            blocked={isNumber ? undefined : t.stack.scaleHelp}
            busy={scale.pending.value && t.stack.scaling(service)}
          >
            {t.stack.scaleTo(service, isNumber ? wanted : now)}
          </Button>
        </>
      )}
    >
      <form id="scale" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t.stack.containers}
          help={t.stack.scaleWhy}
          error={scale.problem.value?.error}
          inputMode="numeric"
          value={typed.value}
          onInput={(next) => {
            typed.value = next
          }}
        />
      </form>
    </Dialog>
  )
}
