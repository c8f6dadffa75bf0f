/** The files that public endpoints serve: the description, its explorer, the agent program. */
export type PageName =
  | 'openapi.json'
  | 'openapi.yaml'
  | 'index.html'
  | 'init.js'
  | 'page.css'
  | 'swagger-ui.css'
  | 'swagger-ui-bundle.js'
  | 'agent.mjs'

/** A text as it is served. */
export interface Page {
  text: string
  contentType: string
  /** Quoted; changes with the text. */
  etag: string
}

export interface Pages {
  /** Nothing when this installation lacks the file. */
  find(name: PageName): Promise<Page | undefined>
}
