import { useLocation } from 'preact-iso/router'
import { Page } from '../frame/page.tsx'
import { Empty } from '../parts/empty.tsx'
import { LinkButton } from '../parts/link.tsx'
import { t } from '../text/text.ts'

/** The page of an address without a screen. */
export function NotFound() {
  const { path } = useLocation()
  return (
    <Page title={t.frame.notFound}>
      <Empty
        title={t.frame.notFoundWhy(path)}
        action={
          <LinkButton href="/" kind="primary">
            {t.frame.goHome}
          </LinkButton>
        }
      />
    </Page>
  )
}
