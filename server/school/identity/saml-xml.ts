import { need } from '../../core/base/need.ts'

/** The namespaces of SAML 2.0 and of signatures in XML. */
export const spaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const
export type Space = keyof typeof spaces

/** An element with its own text, and its attributes that have no prefix. */
export interface XmlElement {
  space: string
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  text: string
}

const maxDepth = 40
const maxElements = 10_000

/**
 * Reads a document without a type and entities of its own, no deeper and no larger than any that SAML needs.
 * @param isStrict whether comments, instructions and CDATA are refused: nothing that is signed needs them, and programs
 *   have differed about the text around them
 * @throws where it is none
 */
export function readXml(xml: string, isStrict: boolean): XmlElement {
  const { SaxesParser } = need('saxes') as typeof import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  const refuse = (what: string) => (): never => {
    throw new Error(`${what} is not allowed`)
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', refuse('a document type'))
  parser.on('xmldecl', ({ version }) => {
    if (version !== '1.0') refuse('another version of XML')()
  })
  if (isStrict) {
    parser.on('comment', refuse('a comment'))
    parser.on('processinginstruction', refuse('an instruction'))
    parser.on('cdata', refuse('CDATA'))
  } else parser.on('cdata', (text) => void (open.at(-1)!.text += text))
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (open.length >= maxDepth || ++count > maxElements) throw new Error('the document is too large')
    const plain = Object.values(attributes).filter(({ prefix, local: name }) => prefix === '' && name !== 'xmlns')
    const element: XmlElement = {
      space: uri,
      name: local,
      attributes: new Map(plain.map(({ local: name, value }) => [name, value])),
      children: [],
      text: '',
    }
    if (open.length > 0) open.at(-1)!.children.push(element)
    else root = element
    open.push(element)
  })
  parser.on('closetag', () => {
    const closed = open.pop()!
    closed.text = closed.text.trim()
  })
  parser.write(xml).close()
  return root!
}

/** Whether an element is the one of this name in SAML. */
export const isNamed = ({ space, name }: XmlElement, of: Space, called: string): boolean =>
  space === spaces[of] && name === called

/** The children of a name. */
export const childrenOf = (element: XmlElement | undefined, of: Space, called: string): XmlElement[] =>
  element?.children.filter((child) => isNamed(child, of, called)) ?? []

/** The child of a name, where there is exactly one. */
export function childOf(element: XmlElement | undefined, of: Space, called: string): XmlElement | undefined {
  const [only, ...others] = childrenOf(element, of, called)
  return others.length === 0 ? only : undefined
}

/** An element and all that are in it, each with what it is in. */
export function* within(element: XmlElement, parent?: XmlElement): Generator<[XmlElement, XmlElement | undefined]> {
  yield [element, parent]
  for (const child of element.children) yield* within(child, element)
}
