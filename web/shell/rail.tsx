import './rail.css'
import { useSignal } from '@preact/signals'
import { Ellipsis, Search } from 'lucide'
import { useLocation } from 'preact-iso/router'
import { can } from '../data/session.ts'
import { openPalette } from '../frame/palette-state.ts'
import { commandKey } from '../frame/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Keys } from '../parts/keys.tsx'
import { t } from '../text/text.ts'
import { AccountMenu } from './account-menu.tsx'
import { contains, onPhone, type Place, placesFor } from './navigation.ts'

/** The way to every place: icons and words on the left, icons alone in a narrow window. */
export function Rail() {
  return (
    <header class="rail">
      <button type="button" class="rail-search" title={t.frame.search} onClick={openPalette}>
        <Icon of={Search} />
        <span class="rail-word">{t.frame.search}</span>
        <span class="rail-keys">
          <Keys of={`${commandKey}K`} />
        </span>
      </button>
      <nav aria-label={t.frame.navigation}>
        {placesFor(can).map((group) => (
          <ul key={group[0]?.href}>
            {group.map((place) => (
              <li key={place.href}>
                <PlaceLink place={place} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <AccountMenu />
    </header>
  )
}

function PlaceLink({ place, onClick }: { place: Place; onClick?: () => void }) {
  const { path } = useLocation()
  const label = t.frame[place.label] as string
  const current = contains(place.href, path) ? 'page' : undefined
  return (
    <a href={place.href} title={label} aria-current={current} onClick={onClick}>
      <Icon of={place.icon} />
      <span class="rail-word">{label}</span>
    </a>
  )
}

/** The bar of a phone: the four places of every day, and all others behind "More". */
export function BottomBar() {
  const isOpen = useSignal(false)
  const places = placesFor(can).flat()
  const { path } = useLocation()
  const isMore = !places.some(({ href }) => onPhone.includes(href) && contains(href, path))
  const close = () => {
    isOpen.value = false
  }
  return (
    <nav class="bottom-bar" aria-label={t.frame.navigation}>
      {places
        .filter(({ href }) => onPhone.includes(href))
        .map((place) => (
          <PlaceLink key={place.href} place={place} />
        ))}
      <button
        type="button"
        class={isMore ? 'current' : undefined}
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true
        }}
      >
        <Icon of={Ellipsis} />
        <span class="rail-word">{t.frame.more}</span>
      </button>
      {isOpen.value && (
        <Dialog title={t.frame.more} onClose={close}>
          <button
            type="button"
            class="rail-search"
            onClick={() => {
              close()
              openPalette()
            }}
          >
            <Icon of={Search} />
            <span class="rail-word">{t.frame.search}</span>
          </button>
          <ul class="more-places">
            {places
              .filter(({ href }) => !onPhone.includes(href))
              .map((place) => (
                <li key={place.href}>
                  <PlaceLink place={place} onClick={close} />
                </li>
              ))}
          </ul>
          <AccountMenu />
        </Dialog>
      )}
    </nav>
  )
}
