import './notice-text.css'

/** The paragraphs of a privacy notice. A line that begins with a Chinese number and 、 is a heading. */
export function NoticeText({ content }: { content: string }) {
  return (
    // a long text is read on by the keyboard as well
    <div className="notice-text" role="region" aria-label="告知全文" tabIndex={0}>
      {content
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .map((line, at) => (isHeading(line) ? <h3 key={at}>{line}</h3> : <p key={at}>{line}</p>))}
    </div>
  )
}

const isHeading = (line: string): boolean => /^[一二三四五六七八九十]{1,3}、.{1,30}$/.test(line.trim())
