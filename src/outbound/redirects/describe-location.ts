/** Target of a redirect for messages: without its query, which may have API keys, and with secrets hidden. */
export function describeLocation(location: string | undefined, hide: (text: string) => string): string {
  if (location === undefined) return 'nowhere';
  const address = location.startsWith('//') ? `https:${location}` : location;
  const { protocol, host, pathname } = URL.canParse(address)
    ? new URL(address)
    : { protocol: '', host: '', pathname: location.split(/[?#]/)[0] ?? '' };
  const server = protocol === '' ? '' : `${protocol}//${host}`;
  if (server === '' && pathname === '') return 'itself, with another query';
  return hide(`${server}${pathname}`);
}
