import './badge.css'
import type { ComponentChildren } from 'preact'

interface BadgeProps {
  children: ComponentChildren
  /** `count` is a number beside a name. */
  kind?: 'plain' | 'count' | 'attention' | 'failed' | 'running' | 'working'
}

/** A short fact beside a name: a tag, a count, a kind. */
export function Badge({ children, kind = 'plain' }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>
}
