import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { type PruneChoice, type PrunedImages, planPrune, pruneImages } from '../../data/images.ts'
import type { Loadable } from '../../data/loadable.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { HostChoice } from '../../frame/host-choice.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { localHostId } from '../../host-ids.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Problem } from '../../parts/problem.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { ImageSizes } from './image-sizes.tsx'
import { KeptImages } from './kept-images.tsx'

type Which = 'unnamed' | 'unused'

/** Shows which unused images of a host go, and which stay, before they are removed. */
export function PruneImages({ onClose }: { onClose: () => void }) {
  const host = useSignal(localHostId)
  const which = useSignal<Which>('unnamed')
  const mayAll = can('stacks:privileged')
  const choice = { host: host.value, all: which.value === 'unused' && mayAll }
  const plan = usePrunePlan(choice)
  const prune = useAct(pruneImages, {
    ended: (bytes) => t.images.pruned(formatBytes(bytes)),
    failed: t.images.notPruned,
    tellsProblem: false,
  })
  const found = plan.value.value?.images ?? []
  const confirm = async () => {
    if ((await prune.run(choice)) !== undefined) onClose()
  }
  const problem = prune.problem.value
  return (
    <Dialog
      title={t.images.prune}
      isThrowaway
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{found.length > 0 ? t.parts.cancel : t.parts.close}</Button>
          {found.length > 0 && (
            <Button
              kind="danger"
              busy={prune.pending.value && t.images.pruning}
              onClick={() => void confirm()}
            >
              {t.images.removeCount(found.length)}
            </Button>
          )}
        </>
      }
    >
      <Select
        label={t.images.which}
        value={which.value}
        options={(['unnamed', 'unused'] as const).map((value) => ({
          value,
          label: t.images.whichOnes[value],
        }))}
        onChange={(value) => {
          which.value = value
        }}
      />
      <p>{t.images.pruneWhat[which.value]}</p>
      <HostChoice to={host} />
      <Loaded of={plan} what={t.frame.images} failed={t.images.failed} rows={3}>
        {({ images, kept }) => (
          <>
            {images.length === 0 ? (
              <p role="status">{t.images.nothingToPrune}</p>
            ) : (
              <ImageSizes of={images} />
            )}
            <KeptImages of={kept} />
          </>
        )}
      </Loaded>
      {which.value === 'unused' && !mayAll && <p>{t.images.allNeeds}</p>}
      {problem && <Problem title={t.images.notPruned} {...problem} />}
    </Dialog>
  )
}

/** Asks what a prune would do, again for each choice. */
function usePrunePlan({ host, all }: PruneChoice): Loadable<PrunedImages> {
  const plan = useMemo(
    () => act(planPrune, { failed: t.images.failed, tellsProblem: false }),
    [host, all],
  )
  const reload = () => void plan.run({ host, all })
  useEffect(reload, [plan])
  return { value: plan.result, problem: plan.problem, reload }
}
