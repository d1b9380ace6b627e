/* clew test
 * branches: 6 of 6
 * precondition: length: word != NULL
 * precondition: start: text != NULL
 * precondition: start: text points behind the start of an object
 *
 * A function that goes back from where its argument points needs something there, whichever object happens to lie before it. */
int length(const char *word)
{
    int n = 0;
    while (word[n]) n++;
    return n > 3 ? 3 : n;
}

const char *start(const char *text)
{
    while ((text[0] & 0xc0) == 0x80) text--;
    return text;
}
