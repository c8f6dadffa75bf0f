import './shortcut-help.css'
import { isHelpOpen, pageShortcuts, type Shortcut } from '../frame/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Keys } from '../parts/keys.tsx'
import { t } from '../text/text.ts'

/** The list of all shortcuts, those of the page first. */
export function ShortcutHelp({ everywhere }: { everywhere: readonly Shortcut[] }) {
  if (!isHelpOpen.value) return null
  const close = () => {
    isHelpOpen.value = false
  }
  const lists = [
    { keys: 'j', label: t.shortcuts.next },
    { keys: 'k', label: t.shortcuts.previous },
    { keys: 'Enter', label: t.shortcuts.open },
    { keys: 'x', label: t.shortcuts.select },
  ]
  const groups = [
    { title: t.shortcuts.thisPage, of: pageShortcuts() },
    { title: t.shortcuts.lists, of: lists },
    { title: t.shortcuts.everywhere, of: everywhere },
  ]
  return (
    <Dialog title={t.shortcuts.title} size="medium" onClose={close}>
      <div class="shortcut-help">
        {groups
          .filter(({ of }) => of.length > 0)
          .map(({ title, of }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {of.map(({ keys, label }) => (
                  <div key={keys}>
                    <dt>{label}</dt>
                    <dd>
                      <Keys of={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  )
}
