import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import { type Image, keyOfImage, removeImages } from '../../data/images.ts'
import { useAct } from '../../data/use-act.ts'
import type { Selection } from '../../parts/chosen.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { SelectionBar } from '../../parts/selection-bar.tsx'
import { t } from '../../text/text.ts'
import { blockedBy } from './image-menu.tsx'
import { ImageSizes } from './image-sizes.tsx'

interface RemoveImagesProps {
  selection: Selection
  images: readonly Image[]
}

/** What can be done to the chosen images: to remove those that can be. */
export function RemoveImages({ selection, images }: RemoveImagesProps) {
  const asked = useSignal<readonly Image[]>([])
  const remove = useAct(removeImages, {
    ended: (bytes) => t.images.pruned(formatBytes(bytes)),
    failed: t.images.notAll,
  })
  const close = () => {
    asked.value = []
  }
  const confirm = async () => {
    await remove.run(asked.value)
    close()
    selection.choose([])
  }
  const chosen = new Set(selection.ids)
  const all = images.filter((image) => chosen.has(keyOfImage(image)))
  const removable = all.filter((image) => blockedBy(image) === undefined)
  return (
    <>
      <SelectionBar
        selection={selection}
        what={t.images.count(all.length)}
        items={[
          {
            label: t.images.removeCount(removable.length),
            icon: Trash2,
            kind: 'danger',
            blocked: removable.length === 0 ? all[0] && blockedBy(all[0]) : undefined,
            run: () => {
              asked.value = removable
            },
          },
        ]}
      />
      {asked.value.length > 0 && (
        <Confirm
          title={t.images.removeAsk(t.images.count(asked.value.length))}
          action={t.images.removeCount(asked.value.length)}
          lost={t.images.lostSeveral}
          stays={t.images.stays}
          busy={remove.pending.value && t.images.pruning}
          onConfirm={() => void confirm()}
          onClose={close}
        >
          <ImageSizes of={asked.value} />
          {all.length > asked.value.length && (
            <p>{t.images.staying(all.length - asked.value.length)}</p>
          )}
        </Confirm>
      )}
    </>
  )
}
