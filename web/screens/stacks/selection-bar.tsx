import { Button } from '../../parts/button.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  items: readonly MenuItem[]
}

/** How much is selected, and what can be done to all of it. It floats, so that no row moves. */
export function SelectionBar({ selection: { names, clear }, items }: SelectionBarProps) {
  if (names.length === 0) return null
  return (
    <div class="selection-bar">
      <span role="status">{t.stacks.selected(names.length)}</span>
      <Menu items={items} label={t.stacks.actionsOf(t.stacks.count(names.length))}>
        {t.parts.actions}
      </Menu>
      <Button kind="quiet" onClick={clear}>
        {t.stacks.clearSelection}
      </Button>
    </div>
  )
}
