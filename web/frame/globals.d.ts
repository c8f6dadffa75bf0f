/** A style sheet: importing it adopts it. */
declare module '*.css'

/** The addresses of the web workers by name, set by the build. */
declare const WORKERS: Readonly<Record<string, string>>

/** What the page was built from, set by the build. */
declare const PAGE_BUILD: Readonly<{ version: string; commit: string | null }>
