import './new-stack.css'
import type { ComponentChildren } from 'preact'
import { Page } from '../../../frame/page.tsx'
import { t } from '../../../text/text.ts'

/** The ways to a new stack, as tabs. */
export function NewStackPage({ children }: { children: ComponentChildren }) {
  const tabs = [
    { href: '/stacks/+new', label: t.newStack.paste },
    { href: '/stacks/+new/folder', label: t.newStack.folder },
    { href: '/stacks/+new/run', label: t.newStack.run },
    { href: '/stacks/+new/adopt', label: t.newStack.adopt },
  ]
  return (
    <Page title={t.newStack.title} above={[{ href: '/stacks', label: t.stacks.title }]} tabs={tabs}>
      {children}
    </Page>
  )
}
