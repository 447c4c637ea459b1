import { Mark, type Extensions } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { Placeholder } from '@tiptap/extensions'
import { ReactNodeViewRenderer } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { alignments, imageAddress, linkAddress } from '../../../contract/core/rich-text.ts'
import { RichPicture } from './rich-picture.tsx'

const script = (name: string, tag: 'sub' | 'sup') =>
  Mark.create({ name, parseHTML: () => [{ tag }], renderHTML: () => [tag, 0] })

/**
 * The school's own stored images and no others; shown by the file store, since their content needs the bearer token.
 */
const Picture = Image.extend({
  parseHTML: () => [
    { tag: 'img[src]', getAttrs: (element) => (imageAddress.test(element.getAttribute('src') ?? '') ? null : false) },
  ],
  addNodeView: () => ReactNodeViewRenderer(RichPicture),
})

/** The editor knows the elements of the contract's list (rich-text.ts) and nothing else. */
export const richExtensions = (placeholder: string): Extensions => [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    code: false,
    codeBlock: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => linkAddress.test(address.trim()),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  script('subscript', 'sub'),
  script('superscript', 'sup'),
  Picture,
  TableKit.configure({ table: { resizable: false } }),
  TextAlign.configure({
    types: ['paragraph', 'heading', 'tableCell', 'tableHeader'],
    alignments: [...alignments],
    defaultAlignment: null,
  }),
  Placeholder.configure({ placeholder }),
]
