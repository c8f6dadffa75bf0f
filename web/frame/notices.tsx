import './notices.css'
import type { ComponentChildren } from 'preact'

/** What a page reports above its content: a paragraph for each, with its state and a link. */
export const Notices = ({ children }: { children: ComponentChildren }) => (
  <div class="notices" role="status">
    {children}
  </div>
)
