import { useSignal } from '@preact/signals'
import { pullImage, pulls } from '../../data/pulls.ts'
import { useAct } from '../../data/use-act.ts'
import { HostChoice } from '../../frame/host-choice.tsx'
import { type HostId, localHostId } from '../../host-ids.ts'
import { bind } from '../../parts/bind.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { lengthOf } from '../../parts/format-time.ts'
import { t } from '../../text/text.ts'
import { PulledLayers } from './pulled-layers.tsx'

/** Pulls an image onto a host. The dialog may be closed meanwhile; a line says how it ended. */
export function PullImage({ onClose }: { onClose: () => void }) {
  const name = useSignal('')
  const host = useSignal(localHostId)
  const pull = useAct(
    async (image: string, on: HostId) => {
      const startedAt = performance.now()
      const pulled = await pullImage(image, on)
      if (!pulled) return t.images.pullCancelled(image)
      return t.images.pulled(image, lengthOf(performance.now() - startedAt))
    },
    { ended: (line) => line, failed: t.images.notPulled },
  )
  const isPulling = pull.pending.value
  const submit = async () => {
    if (await pull.run(name.value.trim(), host.value)) onClose()
  }
  // Those that began in earlier dialogs come before it.
  const mine = isPulling && pulls.value.at(-1)
  return (
    <FormDialog
      title={t.images.pull}
      action={t.images.pull}
      busy={isPulling && t.images.pulling}
      close={isPulling ? t.parts.close : undefined}
      failed={t.images.notPulled}
      problem={pull.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label={t.images.image}
        help={t.images.nameHelp}
        {...bind(name)}
        placeholder="nginx:1.29"
        autocomplete="off"
        isCode
        required
      />
      <HostChoice to={host} />
      {mine && (
        <>
          <p class="quiet-text">{t.images.mayClose}</p>
          <PulledLayers of={mine} />
          <div>
            <Button onClick={mine.cancel}>{t.images.cancelPull}</Button>
          </div>
        </>
      )}
    </FormDialog>
  )
}
