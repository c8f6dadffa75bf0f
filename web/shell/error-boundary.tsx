import { Component, type ComponentChildren } from 'preact'
import { Broken } from '../frame/not-loaded.tsx'
import { Page } from '../frame/page.tsx'
import { t } from '../text/text.ts'

interface BoundaryProps {
  /** A page that failed is tried again at another address. */
  path: string
  children: ComponentChildren
}

interface BoundaryState {
  error?: unknown
  path?: string
}

/** Shows that a page has failed; the rail and the palette keep working. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override componentDidCatch(error: unknown): void {
    console.error(error)
    this.setState({ error, path: this.props.path })
  }

  override render() {
    const { error, path } = this.state
    if (error === undefined || path !== this.props.path) return this.props.children
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // A page of an older version asks for files that an update has replaced, too.
    const isMissing = /dynamically imported module|error loading dynamically/i.test(words)
    return (
      <Page title={t.frame.broken}>
        <Broken reason={isMissing ? t.frame.notLoaded : t.frame.brokenWhy} detail={words} />
      </Page>
    )
  }
}
