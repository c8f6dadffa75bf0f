import {
  Archive,
  Bell,
  Box,
  CircleArrowUp,
  Container,
  GitBranch,
  HardDrive,
  House,
  type IconNode,
  KeyRound,
  Layers,
  Network,
  Package,
  ScrollText,
  Server,
  Settings,
  Shield,
  Users,
} from 'lucide'
import { allowsAny, type Needed } from '../data/permissions.ts'
import { hasScreen } from '../routes.ts'
import type { Texts } from '../text/en.ts'

export interface Place {
  href: string
  label: keyof Texts['frame']
  icon: IconNode
  /** The key after `g`. */
  key?: string
  /** Without it the place is not shown. */
  permission?: Needed
}

/** The rail: what is used every day, what stacks are made of, and what is set up once. */
const groups: readonly (readonly Place[])[] = [
  [
    { href: '/', label: 'home', icon: House, key: 'h' },
    { href: '/stacks', label: 'stacks', icon: Layers, key: 's', permission: 'stacks:read' },
    { href: '/logs', label: 'logs', icon: ScrollText, key: 'l', permission: 'stacks:read' },
    { href: '/alerts', label: 'alerts', icon: Bell, key: 'a', permission: 'alerts:read' },
    { href: '/backups', label: 'backups', icon: Archive, key: 'b', permission: 'backups:read' },
  ],
  [
    { href: '/hosts', label: 'hosts', icon: Server, key: 'o', permission: 'hosts:read' },
    {
      href: '/containers',
      label: 'containers',
      icon: Container,
      key: 'c',
      permission: 'containers:read',
    },
    { href: '/images', label: 'images', icon: Package, key: 'i', permission: 'images:read' },
    {
      href: '/updates',
      label: 'updates',
      icon: CircleArrowUp,
      key: 'p',
      permission: 'stacks:read',
    },
    { href: '/volumes', label: 'volumes', icon: HardDrive, key: 'v', permission: 'volumes:read' },
    { href: '/networks', label: 'networks', icon: Network, key: 'n', permission: 'networks:read' },
    {
      href: '/registries',
      label: 'registries',
      icon: Box,
      key: 'r',
      permission: 'registries:manage',
    },
    { href: '/sources', label: 'sources', icon: GitBranch, permission: 'registries:manage' },
  ],
  [
    { href: '/users', label: 'users', icon: Users, key: 'u', permission: 'users:manage' },
    { href: '/audit', label: 'audit', icon: Shield, permission: 'audit:read' },
    {
      href: '/settings',
      label: 'settings',
      icon: Settings,
      key: 'e',
      permission: ['settings:manage', 'service:upgrade'],
    },
    { href: '/account', label: 'account', icon: KeyRound },
  ],
]

export const everyPlace: readonly Place[] = groups.flat()

/** Returns the places that have a screen and that the reader may see, by group. */
export function placesFor(can: (permission: string) => boolean): Place[][] {
  const isShown = ({ href, permission }: Place) =>
    hasScreen(href) && (permission === undefined || allowsAny(permission, can))
  return groups.map((group) => group.filter(isShown)).filter((group) => group.length > 0)
}

/** The places of the bottom bar of a phone, before "More". */
export const onPhone: readonly string[] = ['/', '/stacks', '/logs', '/alerts']

/** Returns whether a place contains the page at a path. */
export const contains = (href: string, path: string) =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
