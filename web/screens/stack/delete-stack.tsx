import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { resource } from '../../data/cache.ts'
import { deleteStack, type StackDetails } from '../../data/stack-operations.ts'
import { go } from '../../frame/address.ts'
import { hasPageAt } from '../../frame/known-pages.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'
import { useContainerCount, useStackVolumes } from './stack-volumes.ts'

/** Asks before a stack is deleted with its files and deployments. */
export function DeleteStack({ stack, onClose }: { stack: StackDetails; onClose: () => void }) {
  const { name, status, files } = stack
  const withVolumes = useSignal(false)
  const force = useSignal(false)
  const count = useContainerCount(stack)
  const volumes = useStackVolumes(stack)
  const remove = useMemo(
    () =>
      act(
        async (query: { volumes: boolean; force: boolean }) => {
          const warnings = await deleteStack(name, query)
          await resource('/stacks').reload()
          return warnings
        },
        {
          ended: (warnings) => [t.stack.deleted(name), ...warnings].join('; '),
          failed: t.stack.notDeleted(name),
        },
      ),
    [name],
  )
  const named = volumes?.join(', ') ?? ''
  const lost = force.value ? t.stack.forgetLost : t.stack.deleteLost(count, files.length)
  const confirm = async () => {
    const done = await remove.run({ volumes: withVolumes.value, force: force.value })
    if (done) go(hasPageAt('/stacks') ? '/stacks' : '/')
    else onClose()
  }
  return (
    <Confirm
      title={t.stack.deleteAsk(name)}
      action={t.stack.delete(name)}
      lost={
        <>
          {lost} {withVolumes.value && t.stack.volumesLost(named)}
        </>
      }
      stays={
        force.value ? (
          t.stack.forgetStays
        ) : (
          <>
            {t.stack.filesStay} {!withVolumes.value && named && t.stack.volumesStay(named)}
          </>
        )
      }
      {...(withVolumes.value && { typed: name })}
      busy={remove.pending.value && t.stack.deleting(name)}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <Checkbox
        label={t.stack.withVolumes}
        help={volumes && (named || t.stack.noVolumes)}
        checked={withVolumes.value}
        disabled={volumes?.length === 0 || force.value}
        onChange={(checked) => {
          withVolumes.value = checked
        }}
      />
      {status === 'unknown' && (
        <Checkbox
          label={t.stack.force}
          help={t.stack.forceHelp}
          checked={force.value}
          onChange={(checked) => {
            force.value = checked
            if (checked) withVolumes.value = false
          }}
        />
      )}
    </Confirm>
  )
}
