import { useLocation } from 'preact-iso/router'
import { Empty } from '../parts/empty.tsx'
import { LinkButton } from '../parts/link.tsx'
import { t } from '../text/text.ts'
import { Page } from './page.tsx'

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
