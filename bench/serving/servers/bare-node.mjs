/** Only Node: responds to every line with the same line. */
process.stdin.on('data', () => process.stdout.write('{"result":{}}\n'));
