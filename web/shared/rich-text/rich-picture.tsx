import { NodeViewWrapper, type ReactNodeViewProps } from '@tiptap/react'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { imageAddress } from '../../../contract/core/rich-text.ts'
import { StoredImage } from '../../core/parts/stored-file.tsx'

/** An image in a text that is being written, with its words for those who cannot see it. */
export function RichPicture({ node, selected, updateAttributes }: ReactNodeViewProps) {
  const { src, alt } = node.attrs as { src: string; alt: string | null }
  return (
    <NodeViewWrapper className={`rich-picture${selected ? ' is-chosen' : ''}`}>
      <StoredImage view={fileApi.view} id={imageAddress.exec(src)![1]!} name={alt || '正文图片'} />
      {selected && (
        <input
          className="rich-alt"
          aria-label="图片说明"
          placeholder="图片说明，供看不到图片的人了解内容（选填）"
          maxLength={100}
          value={alt ?? ''}
          onChange={(event) => updateAttributes({ alt: event.target.value })}
        />
      )}
    </NodeViewWrapper>
  )
}
