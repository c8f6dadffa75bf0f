const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the text of a file with its byte order mark, which `text()` of a file leaves out. */
export const fileText = async (file: Blob): Promise<string> => utf8.decode(await file.arrayBuffer())
