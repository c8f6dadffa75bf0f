import './button.css'
import './link.css'
import { ExternalLink, type IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface LinkProps {
  href: string
  children: ComponentChildren
  /** `strong` is the name of a row; `quiet` has the colour of the text around it. */
  kind?: 'plain' | 'strong' | 'quiet'
}

/** A link to a page of the UI, or to another place, which opens in a new tab. */
export function Link({ href, children, kind = 'plain' }: LinkProps) {
  const isOutside = /^[a-z]+:/.test(href)
  const outside = isOutside ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <a class={`link ${kind}`} href={href} {...outside}>
      {children}
      {isOutside && <Icon of={ExternalLink} />}
    </a>
  )
}

interface LinkButtonProps {
  href: string
  children: ComponentChildren
  icon?: IconNode
  kind?: 'plain' | 'primary' | 'quiet'
}

/** A link that looks like a button, for the one primary action of a page that is another page. */
export function LinkButton({ href, children, icon, kind = 'plain' }: LinkButtonProps) {
  return (
    <a class={`button ${kind}`} href={href}>
      {icon && <Icon of={icon} />}
      <span>{children}</span>
    </a>
  )
}
