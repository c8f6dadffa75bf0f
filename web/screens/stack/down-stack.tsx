import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { downStack, type StackDetails } from '../../data/stack-operations.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'
import { useContainerCount, useStackVolumes } from './stack-volumes.ts'

type Images = 'none' | 'local' | 'all'

/** Asks before a stack is taken down: with its volumes its name has to be typed. */
export function DownStack({ stack, onClose }: { stack: StackDetails; onClose: () => void }) {
  const { name } = stack
  const withVolumes = useSignal(false)
  const images = useSignal<Images>('none')
  const count = useContainerCount(stack)
  const volumes = useStackVolumes(stack)
  const down = useMemo(
    () =>
      act(downStack, {
        ended: (done) => t.stack.isDown(name, durationText(done)),
        failed: t.stack.notDown(name),
      }),
    [name],
  )
  const body = { volumes: withVolumes.value, images: images.value }
  const named = volumes?.join(', ') ?? ''
  return (
    <Confirm
      title={t.stack.downAsk(name)}
      action={t.stack.down(name)}
      lost={
        <>
          {t.stack.downLost(count)} {withVolumes.value && t.stack.volumesLost(named)}{' '}
          {images.value !== 'none' && t.stack.imagesLost[images.value]}
        </>
      }
      stays={
        <>
          {t.stack.downStays} {!withVolumes.value && named && t.stack.volumesStay(named)}
        </>
      }
      {...(withVolumes.value && { typed: name })}
      busy={down.pending.value && t.stack.takingDown(name)}
      onClose={onClose}
      onConfirm={() => void down.run(name, body).then(onClose)}
    >
      <Checkbox
        label={t.stack.withVolumes}
        help={volumes && (named || t.stack.noVolumes)}
        checked={withVolumes.value}
        disabled={volumes?.length === 0}
        onChange={(checked) => {
          withVolumes.value = checked
        }}
      />
      <Select
        label={t.stack.images}
        value={images.value}
        options={(['none', 'local', 'all'] as const).map((value) => ({
          value,
          label: t.stack.imageChoices[value],
        }))}
        onChange={(value) => {
          images.value = value
        }}
      />
    </Confirm>
  )
}
