import { useSignal } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { localHostId } from '../../data/host-ids.ts'
import { splitHosts } from '../../data/host-lists.ts'
import { type Image, isPrunable, nameOfImage, pruneImages } from '../../data/images.ts'
import { useAct } from '../../data/use-act.ts'
import { HostChoice } from '../../frame/host-choice.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Problem } from '../../parts/problem.tsx'
import { Scroller } from '../../parts/scroller.tsx'
import { t } from '../../text/text.ts'

/** Shows what a prune of a host removes before it runs. */
export function PruneImages({ onClose }: { onClose: () => void }) {
  const host = useSignal(localHostId)
  const images = useResource('/images', { host: host.value })
  const prune = useAct(pruneImages, {
    ended: ({ reclaimed_bytes }) => t.images.pruned(formatBytes(reclaimed_bytes)),
    failed: t.images.notPruned,
    tellsProblem: false,
  })
  const found = images.value.value && splitHosts(images.value.value).items.filter(isPrunable)
  const confirm = async () => {
    if (await prune.run(host.value)) onClose()
  }
  const problem = prune.problem.value
  return (
    <Dialog
      title={t.images.prune}
      isThrowaway
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.parts.cancel}</Button>
          {found && found.length > 0 && (
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
      <p>{t.images.pruneWhat}</p>
      <HostChoice to={host} />
      <Loaded of={images} what={t.frame.images} failed={t.images.failed} rows={3}>
        {() => <Preview of={found ?? []} />}
      </Loaded>
      {problem && <Problem title={t.images.notPruned} {...problem} />}
    </Dialog>
  )
}

function Preview({ of: images }: { of: readonly Image[] }) {
  if (images.length === 0) return <p role="status">{t.images.nothingToPrune}</p>
  const sum = images.reduce((total, { size }) => total + size, 0)
  return (
    <>
      <p role="status">{t.images.frees(images.length, formatBytes(sum))}</p>
      <Scroller label={t.images.prunable} isLow>
        <ul class="prune-list">
          {images.map((image) => (
            <li key={image.id}>
              <code>{nameOfImage(image)}</code>
              <Bytes of={image.size} />
            </li>
          ))}
        </ul>
      </Scroller>
    </>
  )
}
