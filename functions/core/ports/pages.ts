/**
 * The files that public endpoints serve: the API description, its explorer and the agent program.
 */
export type PageName =
  | 'openapi.json'
  | 'openapi.yaml'
  | 'index.html'
  | 'init.js'
  | 'page.css'
  | 'swagger-ui.css'
  | 'swagger-ui-bundle.js'
  | 'agent.mjs'

/** A file as it is served. */
export interface Page {
  text: string
  contentType: string
  /** Quoted. Changes whenever the text changes. */
  etag: string
}

export interface Pages {
  /** Returns undefined if this installation does not include the file. */
  find(name: PageName): Promise<Page | undefined>
}
