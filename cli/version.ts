import packageFile from '../package.json' with { type: 'json' }

/** The client's version: that of the package. */
export const version = packageFile.version
