import { useLocation } from 'preact-iso/router'
import { Page } from '../frame/page.tsx'
import { NoPermission } from '../parts/no-permission.tsx'
import { permissionFor } from '../routes.ts'
import { t } from '../text/text.ts'
import { contains, everyPlace } from './navigation.ts'

/** The page of a screen that the reader may not see. */
export function MissingPermission() {
  const { path } = useLocation()
  const place = everyPlace.find(({ href }) => href !== '/' && contains(href, path))
  return (
    <Page title={place ? (t.frame[place.label] as string) : t.frame.missing}>
      <NoPermission permission={permissionFor(path) ?? ''} />
    </Page>
  )
}
