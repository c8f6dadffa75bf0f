import './selection-bar.css'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import type { Selection } from './chosen.ts'
import { Menu, type MenuItem } from './menu.tsx'

interface SelectionBarProps {
  selection: Selection
  /** What the chosen rows are: "3 stacks". */
  what: string
  items: readonly MenuItem[]
}

/** How much is chosen, and what can be done to all of it. It floats, so that no row moves. */
export function SelectionBar({ selection: { ids, choose }, what, items }: SelectionBarProps) {
  if (ids.length === 0) return null
  return (
    <div class="selection-bar">
      <span role="status">{t.lists.selected(ids.length)}</span>
      <Menu items={items} label={t.lists.actionsOf(what)}>
        {t.parts.actions}
      </Menu>
      <Button kind="quiet" onClick={() => choose([])}>
        {t.lists.clearSelection}
      </Button>
    </div>
  )
}
