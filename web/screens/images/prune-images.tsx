import { useSignal } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { splitHosts } from '../../data/host-lists.ts'
import { type Image, isPrunable, pruneImages, removeImages } from '../../data/images.ts'
import { useAct } from '../../data/use-act.ts'
import { HostChoice } from '../../frame/host-choice.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { type HostId, localHostId } from '../../host-ids.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Problem } from '../../parts/problem.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { blockedBy } from './image-menu.tsx'
import { ImageSizes } from './image-sizes.tsx'

type Which = 'unnamed' | 'unused'

/** Shows which unused images of a host go before they are removed. */
export function PruneImages({ onClose }: { onClose: () => void }) {
  const host = useSignal(localHostId)
  const which = useSignal<Which>('unnamed')
  const images = useResource('/images', { host: host.value })
  const prune = useAct(removeUnused, {
    ended: (bytes) => t.images.pruned(formatBytes(bytes)),
    failed: t.images.notPruned,
    tellsProblem: false,
  })
  const all = images.value.value && splitHosts(images.value.value).items
  const unused = all?.filter(({ containers }) => containers === 0) ?? []
  const found = unused.filter(which.value === 'unnamed' ? isPrunable : isRemovable)
  const staying = which.value === 'unused' ? unused.length - found.length : 0
  const confirm = async () => {
    if ((await prune.run(which.value, host.value, found)) !== undefined) onClose()
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
      <Loaded of={images} what={t.frame.images} failed={t.images.failed} rows={3}>
        {() =>
          found.length === 0 ? (
            <p role="status">{t.images.nothingToPrune}</p>
          ) : (
            <ImageSizes of={found} />
          )
        }
      </Loaded>
      {staying > 0 && <p>{t.images.stayingNamed(staying)}</p>}
      {problem && <Problem title={t.images.notPruned} {...problem} />}
    </Dialog>
  )
}

const isRemovable = (image: Image) => blockedBy(image) === undefined

/** Removes the unused images of a host: those without a name, or exactly those that were shown. */
async function removeUnused(which: Which, host: HostId, shown: readonly Image[]): Promise<number> {
  if (which === 'unused') return removeImages(shown)
  const { reclaimed_bytes } = await pruneImages(host)
  return reclaimed_bytes
}
