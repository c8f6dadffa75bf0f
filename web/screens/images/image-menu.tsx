import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import { type Image, nameOfImage, removeImage } from '../../data/images.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'

/** What can be done with an image. */
export function ImageMenu({ image }: { image: Image }) {
  const isConfirming = useSignal(false)
  const name = nameOfImage(image)
  const remove = useAct(removeImage, {
    ended: () => t.images.removed(name),
    failed: t.images.notRemoved(name),
  })
  if (!can('images:delete')) return null
  const ask = (open: boolean) => () => {
    isConfirming.value = open
  }
  return (
    <>
      <Menu
        label={t.images.actionsOf(name)}
        items={[
          {
            label: t.images.remove(name),
            icon: Trash2,
            kind: 'danger',
            run: ask(true),
            blocked: blockedBy(image),
          },
        ]}
      />
      {isConfirming.value && (
        <Confirm
          title={t.images.removeAsk(name)}
          action={t.images.remove(name)}
          lost={
            image.tags.length > 1
              ? t.images.lostNames(image.tags.join(', '), image.host_name)
              : t.images.lost(image.host_name)
          }
          stays={t.images.stays}
          busy={remove.pending.value && t.images.removing}
          onConfirm={() => void remove.run(image).then(ask(false))}
          onClose={ask(false)}
        />
      )}
    </>
  )
}

/** Returns why an image cannot be removed. The service alone knows which ones a stack builds. */
export function blockedBy({ containers, tags }: Image): string | undefined {
  if (containers > 0) return t.images.isUsed(containers)
  return tags.length > 0 && !can('stacks:privileged') ? t.images.isNamed : undefined
}
